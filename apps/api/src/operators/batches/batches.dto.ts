import { OneOf } from '../../validation/field.decorators.js';

export const CURRENCIES = ['USD', 'CAD'] as const;

export class CloseBatchesDto {
  @OneOf(CURRENCIES) currency?: (typeof CURRENCIES)[number];
}

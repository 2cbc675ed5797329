import { CURRENCIES } from '@tillstream/contracts';
import { OneOf } from '../../validation/field.decorators.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';

@RequestSchema('CloseBatches', 'The batches to close.')
export class CloseBatchesDto {
  @Described('Left out: every currency that the merchant takes.', 'USD')
  @OneOf(CURRENCIES)
  currency?: (typeof CURRENCIES)[number];
}

import { Flag, Text } from '../../validation/field.decorators.js';

export class NewApiKeyDto {
  @Text(100, { required: true }) name!: string;
  @Flag() readOnly?: boolean;
}

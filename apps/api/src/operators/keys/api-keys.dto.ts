import { Flag, Text } from '../../validation/field.decorators.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';

@RequestSchema('NewApiKey', 'A key of a merchant.')
export class NewApiKeyDto {
  @Described('The purpose of the key.', 'Web shop')
  @Text(100, { required: true })
  name!: string;
  @Described('Whether it may only read.', false, false)
  @Flag()
  readOnly?: boolean;
}

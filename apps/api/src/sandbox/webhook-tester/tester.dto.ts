import { Described, RequestSchema } from '../../openapi/request.schema.js';
import { OneOf } from '../../validation/field.decorators.js';

const ANSWERS = ['Accept', 'Fail'] as const;
export type TesterAnswer = (typeof ANSWERS)[number];

@RequestSchema('TesterAnswer', 'What the endpoint tester answers to deliveries.')
export class TesterAnswerDto {
  @Described('`Accept` answers 200, `Fail` 503, so that the service delivers again.', 'Fail')
  @OneOf(ANSWERS, { required: true })
  answer!: TesterAnswer;
}

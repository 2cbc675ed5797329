import { Described, RequestSchema } from '../../openapi/request.schema.js';
import { Confidential } from '../../validation/body.check.js';
import { Flag, Text } from '../../validation/field.decorators.js';

/** `docs/spec/three-d-secure.md#challenge-page`. */
@RequestSchema('ChallengeAnswer', 'The answer of a cardholder to a challenge.')
@Confidential()
export class ChallengeAnswerDto {
  @Described('123456 passes; any other code fails.', '123456')
  @Text(20, { required: true })
  code!: string;
  @Described(
    'Whether the service finishes the attempt before it responds. `false`: the form’s page does.',
    true,
    true,
  )
  @Flag()
  complete?: boolean;
}

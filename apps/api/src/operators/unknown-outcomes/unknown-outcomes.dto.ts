import { field } from '../../validation/field.rule.js';
import { OneOf, Text } from '../../validation/field.decorators.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';

const OUTCOMES = ['Approved', 'Declined', 'NotReceived'] as const;
type Outcome = (typeof OUTCOMES)[number];
const MAX_REASON = 500;
const MAX_AUTH_CODE = 20;

/** The processor gives an authorization code only with an approval. */
const OnlyOfAnApproval = (): PropertyDecorator =>
  field({
    allowed: 'none but with the outcome Approved',
    message: 'authCode is for the outcome Approved only.',
    fits: (_value, { outcome }) => outcome === 'Approved' || !OUTCOMES.includes(outcome as Outcome),
    objectSchema: { dependentSchemas: { authCode: { properties: { outcome: { const: 'Approved' } } } } },
  });

/** An operator's resolution of an unknown outcome (`docs/spec/unknown-outcomes.md#operators`). */
@RequestSchema('Resolution', 'An operator’s decision about an unknown outcome.')
export class ResolveDto {
  @Described(
    '`Approved`: the processor executed it; `Declined`: it declined it; `NotReceived`: it never received it.',
    'Approved',
  )
  @OneOf(OUTCOMES, { required: true })
  outcome!: Outcome;
  @Described('How you know the outcome.', 'confirmed by the processor by phone')
  @Text(MAX_REASON, { required: true })
  reason!: string;
  @Described('The authorization code of an approval.', '004242')
  @OnlyOfAnApproval()
  @Text(MAX_AUTH_CODE)
  authCode?: string;
}

import { Described, RequestSchema } from '../openapi/request.schema.js';
import { field } from '../validation/field.rule.js';
import { Text } from '../validation/field.decorators.js';

const OUTCOMES = ['Approved', 'Declined', 'NotReceived'] as const;
type Outcome = (typeof OUTCOMES)[number];
const MAX_REASON = 500;
const MAX_AUTH_CODE = 20;

const RequiredOutcome = (): PropertyDecorator =>
  field({
    allowed: `one of ${OUTCOMES.join(', ')}`,
    required: true,
    fits: (value) => OUTCOMES.includes(value as Outcome),
    schema: { type: 'string', enum: OUTCOMES },
  });

/** What the processor told the operator goes with an approval. */
const OnlyOfAnApproval = (): PropertyDecorator =>
  field({
    allowed: 'none but with the outcome Approved',
    message: 'authCode is for the outcome Approved only.',
    fits: (_value, { outcome }) => outcome === 'Approved' || !OUTCOMES.includes(outcome as Outcome),
    objectSchema: { dependentSchemas: { authCode: { properties: { outcome: { const: 'Approved' } } } } },
  });

/** An operator's word on what became of an operation (`docs/spec/unknown-outcomes.md#operators`). */
@RequestSchema('Resolution', 'An operator’s word on what became of an operation.')
export class ResolveDto {
  @Described(
    '`Approved`: it happened; `Declined`: it was declined; `NotReceived`: the processor never got it.',
    'Approved',
  )
  @RequiredOutcome()
  outcome!: Outcome;
  @Described('How you know.', 'told by the processor on the phone')
  @Text(MAX_REASON, { required: true })
  reason!: string;
  @Described('Of an approval.', '004242')
  @OnlyOfAnApproval()
  @Text(MAX_AUTH_CODE)
  authCode?: string;
}

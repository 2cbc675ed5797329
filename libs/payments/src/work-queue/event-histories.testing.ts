import type { PaymentEvent } from '@tillstream/domain';
import type { JsonObject, Position, RecordedEvent } from '@tillstream/event-store';
import fc from 'fast-check';

/* Arbitrary histories of payments. The work queue must be right for them, even if the domain would not allow them. */

type Type = PaymentEvent['type'];

const OPENING: readonly Type[] = [
  'SaleRequested',
  'AuthorizationRequested',
  'UnreferencedRefundRequested',
  'CaptureRequested',
  'RefundRequested',
  'VoidRequested',
  'ReversalRequested',
];
/** The events of a normal sale, so that enough streams end. */
const USUAL: readonly Type[] = ['TryRequested', 'Authorized', 'Captured'];
const OTHERS: readonly Type[] = [
  ...([
    'ResendRequested',
    'NotSent',
    'Interrupted',
    'ChallengeOpened',
    'ChallengeEnded',
    'Submitted',
  ] as const),
  ...(['TryFailed', 'Refunded', 'Voided', 'Reversed', 'Declined', 'Cancelled', 'FormExpired'] as const),
  ...(['NotExecuted', 'LateApprovalFound', 'AuthorizationExpired', 'Batched', 'LeftForNextBatch'] as const),
  ...(['BankReturned', 'NoticeOfChangeReceived', 'ChargebackReceived', 'ConsentGiven'] as const),
];

interface Step {
  readonly stream: number;
  readonly type: Type;
  /** Which of the stream's operations, counted from the last one. */
  readonly operation: number;
  readonly data: JsonObject;
}

const time = fc.nat(10_000).map((seconds) => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString());
const optionally = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const step: fc.Arbitrary<Step> = fc.record({
  stream: fc.nat(2),
  type: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...USUAL) },
    { weight: 2, arbitrary: fc.constantFrom(...OPENING) },
    { weight: 2, arbitrary: fc.constantFrom(...OTHERS) },
  ),
  operation: fc.nat(1),
  data: fc
    .record({
      at: time,
      answerBefore: time,
      expiresAt: optionally(time),
      cause: fc.constantFrom('NoAnswer', 'Abandoned'),
      source: fc.constantFrom('Answer', 'Operator'),
      resumes: optionally(fc.record({ answerBefore: time })),
    })
    .map((data) => JSON.parse(JSON.stringify(data)) as JsonObject),
});

/** Interleaved events of several payments. The first event of each payment opens an operation. */
export const arbitraryHistory: fc.Arbitrary<readonly RecordedEvent[]> = fc
  .array(step, { maxLength: 24 })
  .map((steps) => {
    const opened = new Map<number, number>();
    const revisions = new Map<number, number>();
    return steps.map((generated, index) => {
      const { stream, data } = generated;
      const revision = revisions.get(stream) ?? 0;
      revisions.set(stream, revision + 1);
      const type = revision === 0 ? 'SaleRequested' : generated.type;
      if (OPENING.includes(type)) opened.set(stream, (opened.get(stream) ?? 0) + 1);
      const number = Math.max(1, (opened.get(stream) ?? 1) - generated.operation);
      const operation = OPENING.includes(type) ? opened.get(stream) : number;
      return {
        id: `${index}`.padStart(8, '0') + '-0000-7000-8000-000000000000',
        stream: `payment-${stream}`,
        revision,
        position: `${index}` as Position,
        type,
        // A challenge always has an expiry; an authorization may have one.
        data: {
          ...data,
          ...(type === 'ChallengeOpened' && { expiresAt: data['at'] as string }),
          operationId: `trx_${stream}_${operation}`,
        },
        metadata: { merchantId: 'mer_1', realTime: data['at'] as string, schemaVersion: 1 },
      };
    });
  });

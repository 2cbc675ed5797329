import type { PaymentEvent } from '@tillstream/domain';
import type { CountedFact, WorkItem, WorkItemChange, WorkKind } from './work-queue.port.js';
import type { Timings } from '../timings.js';
import { removeWorkItem, workItemId } from './work-item.changes.js';

interface Due extends Pick<WorkItem, 'clock' | 'interrupted'> {
  /** ms since 1970. */
  readonly dueAt: number;
}

interface Times extends Timings {
  /** ms since 1970: when the event was appended, by real time. */
  readonly realTime: number;
  /** ms since 1970: the event's `at`, by the service's clock. */
  readonly since: number;
}

type DueOf<Event> = (
  data: Event extends { readonly data: infer Data } ? Data : never,
  times: Times,
) => Due | undefined;

/**
 * What an event leaves to be done of its operation, and what it makes an end of. The kinds of work are named apart from
 * the event's data, so that types alone tell what can be left.
 */
interface Rule<Event> {
  /** It is the first event of its operation. */
  readonly opens?: true;
  readonly ends?: readonly WorkKind[];
  /** After `ends`. Undefined: this event leaves none of it. */
  readonly leaves?: { readonly [Kind in WorkKind]?: DueOf<Event> };
  readonly counts?: CountedFact;
}

type Rules = {
  readonly [Type in PaymentEvent['type']]: Rule<Extract<PaymentEvent, { readonly type: Type }>>;
};

const real = (dueAt: number): Due => ({ clock: 'Real', dueAt });
const service = (dueAt: number): Due => ({ clock: 'Service', dueAt });

/** A processor may execute late what it had promised never to execute. */
const lateCheck = (_: unknown, { since, lateChecks }: Times): Due => service(since + (lateChecks[0] ?? 0));

const NOTHING = {};
const OPENS = { opens: true } as const;
/** Also where the answer was promised for later. */
const OUTCOME_IS_KNOWN = { ends: ['Outcome', 'Answer'] } as const;

const RULES: Rules = {
  SaleRequested: OPENS,
  AuthorizationRequested: OPENS,
  UnreferencedRefundRequested: {
    opens: true,
    leaves: { RefundLimit: (_, { since, margin }) => service(since + margin) },
  },
  CaptureRequested: OPENS,
  RefundRequested: OPENS,
  VoidRequested: OPENS,
  ReversalRequested: OPENS,
  TryRequested: {
    leaves: { Outcome: ({ answerBefore }, { margin }) => real(Date.parse(answerBefore) + margin) },
  },
  Interrupted: {
    leaves: {
      // The caller has given up, perhaps long before a terminal's deadline: its host did not answer.
      Outcome: ({ cause }, { realTime, sendWithin, margin }) =>
        cause === 'NoAnswer' ? { ...real(realTime + sendWithin + margin), interrupted: true } : undefined,
    },
  },
  Authorized: {
    ...OUTCOME_IS_KNOWN,
    leaves: {
      Expiry: ({ expiresAt }) => (expiresAt === undefined ? undefined : service(Date.parse(expiresAt))),
    },
  },
  // The capture of an authorization is an operation of its own. A sale is captured by the operation that authorized it.
  Captured: { ends: ['Outcome', 'Answer', 'Expiry'] },
  NotExecuted: { ...OUTCOME_IS_KNOWN, leaves: { LateCheck: lateCheck } },
  NotSent: { ends: ['Outcome'], leaves: { LateCheck: lateCheck } },
  Declined: {
    ...OUTCOME_IS_KNOWN,
    // A processor's own answer is not asked for again, but a person may be mistaken.
    leaves: {
      LateCheck: ({ source }, times) => (source === 'Operator' ? lateCheck(source, times) : undefined),
    },
  },
  LateApprovalFound: {
    ends: ['LateCheck'],
    leaves: { Reversal: (_, { since }) => service(since) },
    counts: 'LateApproval',
  },
  Refunded: OUTCOME_IS_KNOWN,
  Voided: OUTCOME_IS_KNOWN,
  Reversed: OUTCOME_IS_KNOWN,
  Cancelled: OUTCOME_IS_KNOWN,
  FormExpired: { ends: ['Outcome'] },
  TryFailed: OUTCOME_IS_KNOWN,
  Submitted: {
    ends: ['Outcome'],
    leaves: { Answer: (_, { since, bankAnswerWithin }) => service(since + bankAnswerWithin) },
  },
  ChallengeOpened: {
    ends: ['Outcome'],
    leaves: { Answer: ({ expiresAt }) => service(Date.parse(expiresAt)) },
  },
  ChallengeEnded: {
    leaves: {
      // Without `resumes` the processor goes on by itself, and an inquiry finds what a notice does not bring.
      Outcome: ({ resumes }, { realTime, processorDeadline, margin }) =>
        real((resumes ? Date.parse(resumes.answerBefore) : realTime + processorDeadline) + margin),
    },
  },
  Batched: NOTHING,
  LeftForNextBatch: NOTHING,
  BankReturned: NOTHING,
  NoticeOfChangeReceived: NOTHING,
  ChargebackReceived: NOTHING,
  // By the process that has the work in hand, until the processor has answered.
  ResendRequested: NOTHING,
  AuthorizationExpired: NOTHING,
};

/** What an event of a payment leaves to be done, and what it makes an end of. */
export function paymentWorkChanges(
  { type, data }: PaymentEvent,
  realTime: number,
  timings: Timings,
): WorkItemChange[] {
  const { operationId: subject, at } = data;
  const since = Date.parse(at);
  // Each rule is given the data of its own event.
  const { ends = [], leaves = {}, counts } = RULES[type] as Rule<{ readonly data: typeof data }>;
  const changes = ends.map((kind) => removeWorkItem(kind, subject));
  for (const kind of Object.keys(leaves) as WorkKind[]) {
    const due = leaves[kind]?.(data, { ...timings, realTime, since });
    if (due)
      changes.push({
        kind: 'Put',
        work: { id: workItemId(kind, subject), kind, subject, step: 0, since, ...due },
      });
  }
  if (counts !== undefined) changes.push({ kind: 'Count', what: counts, by: 1 });
  return changes;
}

/** Of each event type: the kinds of work that it may leave, whatever its data. */
const MAY_LEAVE: ReadonlyMap<string, readonly WorkKind[]> = new Map(
  Object.entries(RULES).map(([type, { leaves = {} }]) => [type, Object.keys(leaves) as WorkKind[]]),
);

/**
 * Whether `paymentWorkChanges` leaves nothing of a stream, by the types of all its events. True of most payments a moment after they
 * began, so they need not be read: the feed would take six times the CPU time. With two operations in the stream types
 * do not tell whose outcome is known.
 */
export function leavesNoWork(types: readonly string[]): boolean {
  const left = new Set<WorkKind>();
  let opened = 0;
  for (const type of types) {
    const mayLeave = MAY_LEAVE.get(type);
    if (mayLeave === undefined) return false;
    const rule: Rule<never> = RULES[type as PaymentEvent['type']];
    if (rule.opens && ++opened > 1) return false;
    for (const kind of rule.ends ?? []) left.delete(kind);
    for (const kind of mayLeave) left.add(kind);
  }
  return left.size === 0;
}

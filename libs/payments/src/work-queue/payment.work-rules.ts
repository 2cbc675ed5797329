import type { HostedForm, PaymentEvent } from '@tillstream/domain';
import type { CountedFact, WorkItem, WorkItemChange, WorkKind } from './work-queue.port.js';
import type { Timings } from '../timings.js';
import { putWorkItem, removeWorkItem } from './work-item.changes.js';

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
 * The kinds of work that an event ends for its operation, and those that it leaves. The kinds depend on the event's type
 * alone; only the due times depend on its data. `leavesNoWork` relies on that.
 */
interface Rule<Event> {
  /** The event is the first one of its operation. */
  readonly opens?: true;
  readonly ends?: readonly WorkKind[];
  /** Applied after `ends`. A function that returns undefined leaves no work of its kind. */
  readonly leaves?: { readonly [Kind in WorkKind]?: DueOf<Event> };
  readonly counts?: CountedFact;
}

type Rules = {
  readonly [Type in PaymentEvent['type']]: Rule<Extract<PaymentEvent, { readonly type: Type }>>;
};

const real = (dueAt: number): Due => ({ clock: 'Real', dueAt });
const service = (dueAt: number): Due => ({ clock: 'Service', dueAt });

/** A processor may execute an attempt that it promised never to execute. */
const lateCheck = (_: unknown, { since, lateChecks }: Times): Due => service(since + (lateChecks[0] ?? 0));

const formExpiry = ({ form }: { readonly form?: HostedForm }): Due | undefined =>
  form && service(Date.parse(form.expiresAt));

const NOTHING = {};
const OPENS = { opens: true } as const;
const ENDS_FORM = { ends: ['Outcome', 'Answer', 'FormExpiry'] } as const;

const RULES: Rules = {
  SaleRequested: { opens: true, leaves: { FormExpiry: formExpiry } },
  AuthorizationRequested: { opens: true, leaves: { FormExpiry: formExpiry } },
  UnreferencedRefundRequested: {
    opens: true,
    leaves: {
      FormExpiry: formExpiry,
      RefundLimit: ({ form }, { since, margin }) =>
        service((form ? Date.parse(form.expiresAt) : since) + margin),
    },
  },
  CaptureRequested: OPENS,
  RefundRequested: OPENS,
  VoidRequested: OPENS,
  ReversalRequested: OPENS,
  ConsentGiven: NOTHING,
  TryRequested: {
    leaves: { Outcome: ({ answerBefore }, { margin }) => real(Date.parse(answerBefore) + margin) },
  },
  Interrupted: {
    leaves: {
      // The client already got `Interrupted`, possibly long before the terminal's deadline, so the inquiry is due soon.
      Outcome: ({ cause }, { realTime, sendWithin, margin }) =>
        cause === 'NoAnswer' ? { ...real(realTime + sendWithin + margin), interrupted: true } : undefined,
    },
  },
  Authorized: {
    ...ENDS_FORM,
    leaves: {
      Expiry: ({ expiresAt }) => (expiresAt === undefined ? undefined : service(Date.parse(expiresAt))),
    },
  },
  // `Expiry` ends here for sales only: the capture of an authorization is an operation of its own.
  Captured: { ends: ['Outcome', 'Answer', 'FormExpiry', 'Expiry'] },
  NotExecuted: { ...ENDS_FORM, leaves: { LateCheck: lateCheck } },
  NotSent: { ends: ['Outcome', 'FormExpiry'], leaves: { LateCheck: lateCheck } },
  Declined: {
    ...ENDS_FORM,
    // A late inquiry checks an operator's decision. A processor's decline needs no check.
    leaves: {
      LateCheck: ({ source }, times) => (source === 'Operator' ? lateCheck(source, times) : undefined),
    },
  },
  LateApprovalFound: {
    ends: ['LateCheck'],
    leaves: { Reversal: (_, { since }) => service(since) },
    counts: 'LateApproval',
  },
  Refunded: ENDS_FORM,
  Voided: ENDS_FORM,
  Reversed: ENDS_FORM,
  Cancelled: ENDS_FORM,
  FormExpired: { ends: ['FormExpiry'] },
  TryFailed: { ends: ['Outcome', 'Answer'] },
  Submitted: {
    ends: ['Outcome', 'FormExpiry'],
    leaves: { Answer: (_, { since, bankAnswerWithin }) => service(since + bankAnswerWithin) },
  },
  ThreeDsCompleted: {
    leaves: { Outcome: ({ resumes }, { margin }) => real(Date.parse(resumes.answerBefore) + margin) },
  },
  ChallengeOpened: {
    ends: ['Outcome'],
    leaves: {
      Answer: ({ expiresAt }) => service(Date.parse(expiresAt)),
      // The process that ends the challenge destroys the card. The resolver does it if that process dies.
      KeyDestruction: ({ threeDsServer, expiresAt }, { margin }) =>
        threeDsServer === undefined ? undefined : service(Date.parse(expiresAt) + margin),
    },
  },
  ChallengeEnded: {
    leaves: {
      // Without `resumes` the processor continues by itself. An inquiry finds the outcome if no notice brings it.
      Outcome: ({ resumes }, { realTime, processorDeadline, margin }) =>
        real((resumes ? Date.parse(resumes.answerBefore) : realTime + processorDeadline) + margin),
    },
  },
  Batched: NOTHING,
  LeftForNextBatch: NOTHING,
  BankReturned: NOTHING,
  NoticeOfChangeReceived: NOTHING,
  ChargebackReceived: NOTHING,
  // The process that appended it still has the work item, until the processor responds.
  ResendRequested: NOTHING,
  AuthorizationExpired: NOTHING,
};

/** The work items that an event of a payment adds or removes. `realTime`: when it was appended, ms since 1970. */
export function paymentWorkChanges(
  { type, data }: PaymentEvent,
  realTime: number,
  timings: Timings,
): WorkItemChange[] {
  const { operationId: subject, at } = data;
  const since = Date.parse(at);
  const { ends = [], leaves = {}, counts } = RULES[type] as Rule<{ readonly data: typeof data }>;
  const changes = ends.map((kind) => removeWorkItem(kind, subject));
  for (const kind of Object.keys(leaves) as WorkKind[]) {
    const due = leaves[kind]?.(data, { ...timings, realTime, since });
    if (due) changes.push(putWorkItem({ kind, subject, since, ...due }));
  }
  if (counts !== undefined) changes.push({ kind: 'Count', what: counts, by: 1 });
  return changes;
}

/**
 * Whether a stream certainly has no work left, by the types of all its events. True of most payments a moment after their
 * request, so the consumer need not read them: reading them would take six times the CPU time. Types do not tell the
 * operations of a stream apart, so a stream with two operations is always read.
 */
export function leavesNoWork(types: readonly string[]): boolean {
  const left = new Set<WorkKind>();
  let opened = 0;
  for (const type of types) {
    if (!Object.hasOwn(RULES, type)) return false;
    const { opens, ends = [], leaves = {} }: Rule<never> = RULES[type as PaymentEvent['type']];
    if (opens && ++opened > 1) return false;
    for (const kind of ends) left.delete(kind);
    for (const kind of Object.keys(leaves) as WorkKind[]) left.add(kind);
  }
  return left.size === 0;
}

import {
  isDeferred,
  hasUnknownOutcome,
  parseOperationId,
  type Cents,
  type Currency,
  type OperationId,
  type OperationKind,
  type Progress,
  type ConfirmationRule,
} from '@tillstream/domain';
import type { KnownOperation, NoActionResult } from './unknown-outcomes.types.js';
import type { Resolver } from '../resolver/resolver.js';
import type { Parts } from '../parts.js';
import { iso, type Clock } from '../ports/clock.port.js';
import {
  type PaymentContext,
  type TokenContext,
  loadPaymentContext,
  loadTokenContext,
} from '../resolver/operation.context.js';
import { workItemId } from '../work-queue/work-item.changes.js';
import type { WorkItem } from '../work-queue/work-queue.port.js';
import type { ResolutionProposals } from './resolution-proposals.js';

export interface UnknownOutcomesParts extends Parts {
  readonly resolver: Pick<Resolver, 'feed'>;
  readonly resolutions: ResolutionProposals;
  readonly rule: ConfirmationRule;
}

/** The operation that an operator inquires about or resolves: of a payment or of a token. */
export type TargetOperation =
  ({ readonly category: 'payment' } & PaymentContext) | ({ readonly category: 'token' } & TokenContext);

/** Finds every operation that has attempts, the service's own reversals too. */
export async function findTargetOperation(
  parts: Parts,
  transactionId: string,
): Promise<TargetOperation | undefined> {
  const address = parseOperationId(transactionId);
  if (!address) return undefined;
  const id = transactionId as OperationId;
  if (address.category === 'payment') {
    const found = await loadPaymentContext(parts, id);
    return found && { category: 'payment', ...found };
  }
  const found = await loadTokenContext(parts, id);
  return found && { category: 'token', ...found };
}

export function isUnknownOperation({ operation }: TargetOperation): boolean {
  return operation.attempt !== undefined && hasUnknownOutcome(operation);
}

/** Whether the outcome is unknown, or the processor promised it for later. */
export function isOpenToOperators(target: TargetOperation): boolean {
  return isUnknownOperation(target) || isDeferred(target.operation);
}

export function operationSummary(target: TargetOperation): {
  readonly type: OperationKind | 'TokenCreate';
  readonly amount?: Cents;
  readonly currency: Currency;
} {
  if (target.category === 'token') return { type: 'TokenCreate', currency: target.token.currency };
  const { kind: type, amount } = target.operation;
  return { type, amount, currency: target.payment.currency };
}

export function knownOperation(target: TargetOperation): KnownOperation {
  const operationId = target.operation.id;
  return target.category === 'payment'
    ? { payment: target.payment, operationId }
    : { token: target.token, operationId };
}

/** Explains to an operator why there is nothing to resolve. */
export function describeProgress({ operation: { progress, responses } }: TargetOperation): string {
  const code = responses[0]?.outcome.responseCode;
  return PROGRESS_TEXTS[progress.status](code);
}

type ProgressText = (responseCode: number | undefined) => string;
const PROGRESS_TEXTS: Readonly<Record<Progress['status'], ProgressText>> = {
  AwaitingCustomer: () => 'it waits for its customer, and nothing is under way',
  ChallengeOpen: () => 'its customer is being authenticated, and nothing is under way',
  InFlight: () => 'it is on its way',
  Interrupted: () => 'it is unknown',
  Processing: () => 'the bank has it, and its answer is still to come',
  Approved: (code) => `it was approved (response code ${code ?? 1})`,
  Declined: (code) => `it was declined (response code ${code ?? 10})`,
  Cancelled: () => 'it was cancelled, and no money moved',
  FormExpired: () => 'its form expired, and no money moved',
  NotExecuted: () => 'it was closed as not executed (response code 50), and no money moved',
  NotSent: () => 'it was never sent, and no money moved',
};

/** Pages of hundreds of events: enough for all events since the resolver's last round, but not for a whole rebuild. */
const PAGES_FED = 5;

/** Feeds recent events to the work queue. A rebuild is left to the resolver. */
export function catchUpWorkQueue({ resolver }: UnknownOutcomesParts): Promise<unknown> {
  return resolver.feed({ pages: PAGES_FED });
}

/** Finds the work item of the operation's inquiries. Undefined while the work queue is being rebuilt. */
export function findWorkItem(
  { workQueue }: UnknownOutcomesParts,
  { operation }: TargetOperation,
): Promise<WorkItem | undefined> {
  return workQueue.find(workItemId(isDeferred(operation) ? 'Answer' : 'Outcome', operation.id));
}

/**
 * Before the first inquiry is due the client may still wait, and the sender may still record the response. Until then no
 * operator may act (`docs/spec/unknown-outcomes.md#operators`).
 */
export function tooEarly(
  { clock, timings }: UnknownOutcomesParts,
  { operation }: TargetOperation,
  row: WorkItem | undefined,
): Extract<NoActionResult, { kind: 'TooEarly' }> | undefined {
  const byAttempt = Date.parse(operation.attempt?.answerBefore ?? operation.createdAt) + timings.margin;
  const isFirst = row !== undefined && row.clock === 'Real' && row.dueAt !== null;
  const dueAt = isFirst ? (row.dueAt ?? byAttempt) : row ? Number.NEGATIVE_INFINITY : byAttempt;
  if (dueAt <= clock.realNow()) return undefined;
  return { kind: 'TooEarly', firstInquiryAt: iso(toServiceTime({ clock: 'Real', dueAt }, clock)) };
}

/** Converts a due time to the service's clock, by which operators see all times. In a sandbox it may be days ahead. */
export function toServiceTime<Due extends number | null>(
  { clock: by, dueAt }: { readonly clock: WorkItem['clock']; readonly dueAt: Due },
  clock: Pick<Clock, 'now' | 'realNow'>,
): Due {
  if (dueAt === null || by === 'Service') return dueAt;
  return (dueAt + clock.now() - clock.realNow()) as Due;
}

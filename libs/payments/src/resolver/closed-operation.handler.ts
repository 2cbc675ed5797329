import {
  didNotHappen,
  expireAuthorization,
  findOperation,
  isPending,
  movedAmount,
  reverseLateApproval,
  type Operation,
  type PaymentDecision,
  type PaymentEvent,
  type PaymentState,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { newCommandId } from '../identifiers.js';
import { startAttempt, type AttemptStart } from '../attempts/index.js';
import { attemptInquiry, findProcessor, sendAttempt } from './unknown-attempt.handler.js';
import type { PaymentContext, ResolverParts } from './payment.context.js';
import type { WorkItemResult } from './work-item.result.js';

/* What is left to do when an operation is over: second looks, reversals, ends of life, limits. */

export async function inquireLate(parts: ResolverParts, found: PaymentContext): Promise<WorkItemResult> {
  const { operation, payment, merchant, loaded, cause } = found;
  const { paymentSender } = parts;
  if (!didNotHappen(operation) && !isDeclinedByOperator(operation)) return 'Done';
  const number = operation.attempt?.number ?? 0;
  const processor = findProcessor(parts, operation);
  if (!processor) return 'Unconfigured';
  const answer = await processor.inquire(attemptInquiry(parts, paymentSender, found, number));
  // Whoever was away, or still has it under way, has not said that it did not happen.
  if (answer.kind === 'NoAnswer' || answer.kind === 'StillRunning') return 'Again';
  if (answer.kind === 'Found' && answer.answer.kind === 'Approved') {
    const late = { operationId: operation.id, number, answer: answer.answer, source: 'LateAnswer' } as const;
    const written = await paymentSender.record(loaded, { merchant, cause, ...late });
    return written.kind === 'Written' ? 'Done' : 'Again';
  }
  if (!didNotHappen(operation)) return 'NextLook';
  // A reversal that never left is followed by another.
  const original =
    operation.kind === 'Reversal' ? findOperation(payment, operation.originalId ?? operation.id) : undefined;
  if (!original) return 'NextLook';
  const again = { ...found, operation: original };
  return operation.reversalCause === 'LateApproval' ? reverse(parts, again) : expire(parts, again);
}

function isDeclinedByOperator({ progress, responses, lateApprovals }: Operation): boolean {
  const bySomebody = responses[0]?.outcome.source === 'Operator';
  return progress.status === 'Declined' && bySomebody && lateApprovals.length === 0;
}

export async function reverse(parts: ResolverParts, found: PaymentContext): Promise<WorkItemResult> {
  const { operation } = found;
  return reverseOperation(parts, found, (state, step) =>
    reverseLateApproval(state, { ...step, operationId: operation.id }),
  );
}

export async function expire(parts: ResolverParts, found: PaymentContext): Promise<WorkItemResult> {
  const { operation } = found;
  return reverseOperation(parts, found, (state, step) =>
    expireAuthorization(state, { ...step, operationId: operation.id }),
  );
}

/**
 * Writes the reversal down, then sends it. Should this process die in between, it is an operation without an outcome.
 * While its processor is not configured it is not begun: one that can't be sent would be given up after a week.
 */
async function reverseOperation(
  parts: ResolverParts,
  { merchant, loaded, operation, cause }: PaymentContext,
  decide: (
    state: PaymentState,
    step: { readonly at: string; readonly commandId: string; readonly sendWindow: AttemptStart['window'] },
  ) => PaymentDecision,
): Promise<WorkItemResult> {
  const start = startAttempt(parts);
  const step = { at: iso(parts.clock.now()), commandId: newCommandId(), sendWindow: start.window };
  const planned = decide(loaded.state, step);
  if (planned.kind === 'Accepted' && !isConfigured(parts, operation, planned.events)) return 'Unconfigured';
  const written = await parts.payments.transact(loaded.stream, cause, (state) => decide(state, step), {
    known: loaded,
  });
  // Only an operation that has no outcome yet makes it wait; what else is refused will be refused again.
  if (written.kind === 'Rejected')
    return written.rejection.code === 'OriginalUndecided' ? 'Again' : 'Operator';
  if (written.kind === 'Contended') return 'Again';
  if (written.events.length === 0) return 'Done';
  const { loaded: begun, value: operationId } = written;
  const outcome = await sendAttempt(
    parts.paymentSender,
    { merchant, loaded: begun, cause },
    operationId,
    start,
  );
  // An unknown outcome of the reversal is work of its own.
  return outcome === 'Again' ? 'Done' : outcome;
}

function isConfigured(
  { processors, log }: Pick<ResolverParts, 'processors' | 'log'>,
  { id: operationId }: Operation,
  events: readonly PaymentEvent[],
): boolean {
  const attempt = events.find((event) => event.type === 'TryRequested')?.data;
  if (!attempt || processors.named(attempt.processor)) return true;
  log.error('processor-not-configured', { operationId, reason: attempt.processor });
  return false;
}

export async function releaseRefundLimit(
  parts: ResolverParts,
  { merchant, payment, operation, cause }: PaymentContext,
): Promise<WorkItemResult> {
  if (isPending(operation)) return 'Again';
  if (movedAmount(operation) > 0) return 'Done';
  const { id: operationId, amount, createdAt: at } = operation;
  await parts.refundLimits.release(merchant, { operationId, amount, currency: payment.currency, at }, cause);
  return 'Done';
}

import {
  didNotHappen,
  expireAuthorization,
  findOperation,
  isPending,
  movedAmount,
  reverseLateApproval,
  type Operation,
  type OperationId,
  type PaymentDecision,
  type PaymentState,
  type TryAnswer,
} from '@tillstream/domain';
import { iso } from '../clock.port.js';
import { newCommandId } from '../identities.js';
import type { Departure } from '../departure.js';
import { type Case, type ResolveParts, type Worked, inquiryOf, load, sent } from './case.js';

/* What is left to do when an operation is over: second looks, reversals, ends of life, limits. */

export async function lookAgain(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation, payment, merchant, loaded, cause } = found;
  if (!didNotHappen(operation) && !isDeclinedByOperator(operation)) return 'Done';
  const number = operation.try?.number ?? 0;
  const answer = await parts.processor.inquire(inquiryOf(parts, payment, operation.id, number));
  // Whoever was away, or still has it under way, has not said that it did not happen.
  if (answer.kind === 'NoAnswer' || answer.kind === 'StillRunning') return 'Again';
  if (answer.kind === 'Found' && answer.answer.kind === 'Approved') {
    const { sending, log } = parts;
    const late = answer.answer;
    const written = await sending.record(merchant, loaded, operation.id, number, late, 'LateAnswer', cause);
    if (written.kind !== 'Written') return 'Again';
    log.error('late-approval-found', { operationId: operation.id });
    return 'Done';
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

/** An adapter heard an answer after everybody had gone. */
export async function hearLateAnswer(
  parts: ResolveParts,
  operationId: OperationId,
  number: number,
  answer: TryAnswer,
): Promise<void> {
  const found = await load(parts, operationId);
  if (!found) return;
  await parts.sending.record(
    found.merchant,
    found.loaded,
    operationId,
    number,
    answer,
    'LateAnswer',
    found.cause,
  );
}

export async function reverse(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation } = found;
  return undo(parts, found, (state, step) =>
    reverseLateApproval(state, { ...step, operationId: operation.id }),
  );
}

export async function expire(parts: ResolveParts, found: Case): Promise<Worked> {
  const { operation } = found;
  return undo(parts, found, (state, step) =>
    expireAuthorization(state, { ...step, operationId: operation.id }),
  );
}

/** Writes the reversal down, then sends it. Should this process die in between, it is an operation without an outcome. */
async function undo(
  parts: ResolveParts,
  { merchant, loaded, cause }: Case,
  decide: (
    state: PaymentState,
    step: { readonly at: string; readonly commandId: string; readonly tryPlan: Departure['plan'] },
  ) => PaymentDecision,
): Promise<Worked> {
  const departure = parts.sending.depart();
  const step = { at: iso(parts.clock.now()), commandId: newCommandId(), tryPlan: departure.plan };
  const written = await parts.journal.write(loaded.stream, cause, (state) => decide(state, step), {
    known: loaded,
  });
  if (written.kind !== 'Written') return 'Again';
  if (written.events.length === 0) return 'Done';
  const outcome = await sent(parts, merchant, written.loaded, written.value, cause, departure);
  // An unknown outcome of the reversal is work of its own.
  return outcome === 'Again' ? 'Done' : outcome;
}

export async function giveBackLimit(
  parts: ResolveParts,
  { merchant, payment, operation, cause }: Case,
): Promise<Worked> {
  if (isPending(operation)) return 'Again';
  if (movedAmount(operation) > 0) return 'Done';
  const { id: operationId, amount, createdAt: at } = operation;
  await parts.refundLimits.release(merchant, { operationId, amount, currency: payment.currency, at }, cause);
  return 'Done';
}

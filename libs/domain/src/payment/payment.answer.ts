import { ResponseCode, responseCodeOfTerminalResult, type ResultCode } from '../shared/codes.js';
import { accepted, refused } from '../shared/decision.js';
import { approvedBreakdown, type Cents } from '../shared/money.js';
import { outcomeOf, type RecordAnswer } from './payment.answer.facts.js';
import type { PaymentDecision } from './payment.commands.js';
import type { PaymentEvent, TryOutcome } from './payment.events.js';
import { tryInHand, unknownTry } from './payment.protocol.js';
import { amountOutOfRange, isCaptured } from './payment.rules.js';
import { findOperation, type Operation, type Payment, type PaymentState } from './payment.state.js';

/** Declined submissions of one hosted form; the last ends it (`decisions.md` 4). */
export const MAX_FORM_TRIES = 5;

/**
 * A fact from outside is never refused, but what can be none is: an approval of no amount, which leaves the operation
 * without an outcome. On an operation without one it is the outcome; an approval of what was closed as "did not happen"
 * is a late one, so is that of a try which this history does not have; all else has been said before.
 */
export function recordAnswer(state: PaymentState, command: RecordAnswer): PaymentDecision {
  const operation = findOperation(state, command.operationId);
  if (state.status === 'None' || !operation) {
    return refused({ code: 'StepOutOfOrder', message: 'Nobody asked for this operation.' });
  }
  const { answer } = command;
  const none = answer.kind === 'Approved' ? amountOutOfRange(answer.amount) : undefined;
  if (none) return refused(none);
  const outcome = outcomeOf(state, operation, command);
  if (command.source === 'Operator') {
    // A word about what nobody knows: where somebody has told meanwhile, the operator's is no news.
    const isOpen = unknownTry(state, operation.id, command.try) !== undefined;
    return accepted(isOpen ? ending(state, operation, outcome, command) : [], operation.id);
  }
  if (tryInHand(state, operation.id, command.try)) {
    return accepted(ending(state, operation, outcome, command), operation.id);
  }
  return accepted(isLateApproval(operation, command) ? late(outcome, command) : [], operation.id);
}

function ending(
  payment: Payment,
  operation: Operation,
  outcome: TryOutcome,
  command: RecordAnswer,
): PaymentEvent[] {
  const { answer } = command;
  switch (answer.kind) {
    case 'Approved':
      return approval(operation, outcome, answer.amount, command.expiresAt);
    case 'Submitted':
      return operation.progress.status === 'Processing' ? [] : [{ type: 'Submitted', data: outcome }];
    case 'Declined':
      return declined(payment, operation, outcome);
    case 'TerminalEnded':
      return [
        cancelled(outcome, 'Terminal', answer.resultCode, responseCodeOfTerminalResult(answer.resultCode)),
      ];
    case 'CustomerCancelled':
      return [cancelled(outcome, 'Customer', 0, ResponseCode.UserCancelled)];
    case 'ProcessorBatchClosed':
      return batchClosed(payment, operation, outcome, command);
  }
}

function approval(
  operation: Operation,
  outcome: TryOutcome,
  amount: Cents,
  expiresAt: string,
): PaymentEvent[] {
  const amountBreakdown = approvedBreakdown(operation.amountBreakdown, operation.amount, amount);
  const of = { originalOperationId: operation.originalId ?? operation.id };
  switch (operation.try?.executedAs) {
    case 'Sale':
      return [
        {
          type: 'Authorized',
          data: { ...outcome, amount, requestedAmount: operation.amount, amountBreakdown },
        },
        { type: 'Captured', data: { ...outcome, receiptLines: [], amount, amountBreakdown, ...of } },
      ];
    case 'Authorize':
      return [
        {
          type: 'Authorized',
          data: { ...outcome, amount, requestedAmount: operation.amount, amountBreakdown, expiresAt },
        },
      ];
    case 'Capture':
      return [{ type: 'Captured', data: { ...outcome, amount, amountBreakdown, ...of } }];
    case 'Void':
      return [{ type: 'Voided', data: { ...outcome, amount, ...of } }];
    case 'UnreferencedRefund':
      return [{ type: 'Refunded', data: { ...outcome, amount } }];
    case 'Refund':
    case 'Reverse':
    case undefined:
      return operation.kind === 'Reversal'
        ? [{ type: 'Reversed', data: { ...outcome, amount, ...of } }]
        : [{ type: 'Refunded', data: { ...outcome, amount, ...of } }];
  }
}

/** A hosted form has tries left after a decline, but for its fifth; everything else is over, a bank's last word too. */
function declined(payment: Payment, operation: Operation, outcome: TryOutcome): PaymentEvent[] {
  const byForm =
    payment.form !== undefined &&
    operation.originalId === undefined &&
    operation.progress.status !== 'Processing';
  if (!byForm) return [{ type: 'Declined', data: { ...outcome, resultCode: 0 } }];
  const resultCode = formResultCode(outcome);
  return outcome.try < MAX_FORM_TRIES
    ? [{ type: 'TryFailed', data: { ...outcome, resultCode, cause: 'Declined' } }]
    : [{ type: 'Declined', data: { ...outcome, resultCode } }];
}

/** `decisions.md` 2.3: 3-D Secure, then gateway, then no token, then the issuer. */
function formResultCode({ threeDs, responseCode }: TryOutcome): ResultCode {
  if (threeDs?.status === 'Failed') return 6800;
  if (threeDs?.status === 'Unavailable') return 6801;
  if (threeDs?.status === 'NotEnrolled') return 6802;
  if (responseCode === ResponseCode.Unknown) return 6902;
  return responseCode >= ResponseCode.NetworkError ? 6901 : 6900;
}

/**
 * The processor's own batch closed before ours (`decisions.md` 5.4): a refund falls back from void to refund as a new
 * try, so does the reversal of a late sale or capture; a void is answered with 20. What was only authorized, or given
 * back, is never refunded.
 */
function batchClosed(
  payment: Payment,
  operation: Operation,
  outcome: TryOutcome,
  { at, nextTry }: RecordAnswer,
): PaymentEvent[] {
  const original = operation.originalId && findOperation(payment, operation.originalId);
  const refundable =
    original &&
    isCaptured(original.kind) &&
    operation.kind !== 'Void' &&
    operation.try?.executedAs !== 'Refund';
  if (!refundable) {
    const hostText = 'the batch has closed at the processor; refund the transaction instead';
    const data = { ...outcome, responseCode: ResponseCode.RecordNotFound, hostText, resultCode: 0 };
    return [{ type: 'Declined', data }];
  }
  const { operationId, commandId } = outcome;
  const { amount } = operation;
  const next = {
    at,
    operationId,
    commandId,
    try: outcome.try + 1,
    executedAs: 'Refund' as const,
    amount,
    ...nextTry,
  };
  return [
    { type: 'TryFailed', data: { ...outcome, resultCode: 0, cause: 'ProcessorBatchClosed' } },
    { type: 'TryRequested', data: next },
  ];
}

/** Approved, though history says that this try moved no money. Told once of each try. */
function isLateApproval(operation: Operation, { answer, try: number }: RecordAnswer): boolean {
  if (answer.kind !== 'Approved' || operation.lateApprovals.some((late) => late.try === number)) return false;
  return operation.progress.status !== 'Approved' || operation.responses[0]?.outcome.try !== number;
}

function late(outcome: TryOutcome, { answer }: RecordAnswer): PaymentEvent[] {
  const amount = answer.kind === 'Approved' ? answer.amount : 0;
  return [{ type: 'LateApprovalFound', data: { ...outcome, amount } }];
}

/** What a terminal's end means for the customer is ours to say, not its adapter's (`decisions.md` 2.3). */
function cancelled(
  { at, operationId, try: number, source, hostText, terminalId }: TryOutcome,
  by: 'Terminal' | 'Customer',
  resultCode: ResultCode,
  responseCode: ResponseCode,
): PaymentEvent {
  const data = { at, operationId, try: number, source, by, resultCode, responseCode };
  return {
    type: 'Cancelled',
    data: {
      ...data,
      ...(hostText !== undefined && { hostText }),
      ...(terminalId !== undefined && { terminalId }),
    },
  };
}

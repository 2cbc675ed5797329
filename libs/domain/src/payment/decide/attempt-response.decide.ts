import { attemptPlan } from '../../attempt/index.js';
import { ResponseCode, responseCodeOfTerminalResult, type ResultCode } from '../../shared/codes.js';
import { approvedBreakdown, type Cents } from '../../shared/money.js';
import { attemptOutcome, type RecordResponse, type AttemptResponse } from '../attempt.response.js';
import type { PaymentEvent, AttemptOutcome } from '../payment.events.js';
import { isCaptured } from './request.rules.js';
import { findOperation, type Operation, type Payment } from '../payment.state.js';

/** Declined submissions of one hosted form; the last ends it (`docs/spec/hosted-form.md#session`). */
export const MAX_FORM_ATTEMPTS = 5;

/** The events that an answer to the operation's attempt makes. */
export function responseEvents(
  payment: Payment,
  operation: Operation,
  command: RecordResponse,
): PaymentEvent[] {
  const { answer } = command;
  const outcome = attemptOutcome(payment, operation, command);
  switch (answer.kind) {
    case 'Approved':
      return approvalEvents(operation, outcome, answer.amount, command.expiresAt);
    case 'Submitted':
      return operation.progress.status === 'Processing' ? [] : [{ type: 'Submitted', data: outcome }];
    case 'ChallengeRequired':
      return isKnownChallenge(operation, answer.challengeId) ? [] : [challengeOpenedEvent(outcome, answer)];
    case 'Declined':
      return declineEvents(payment, operation, outcome);
    case 'TerminalEnded':
      return [
        cancelledEvent(
          outcome,
          'Terminal',
          answer.resultCode,
          responseCodeOfTerminalResult(answer.resultCode),
        ),
      ];
    case 'CustomerCancelled':
      return [cancelledEvent(outcome, 'Customer', 0, ResponseCode.UserCancelled)];
    case 'ProcessorBatchClosed':
      return processorBatchClosedEvents(payment, operation, outcome, command);
  }
}

/** Open, or over: it may be told any number of times, and after its end too. */
function isKnownChallenge({ progress, attempt: last }: Operation, challengeId: string): boolean {
  const isOpen = progress.status === 'ChallengeOpen' && progress.challengeId === challengeId;
  return isOpen || (last?.endedChallenges?.includes(challengeId) ?? false);
}

function challengeOpenedEvent(
  { at, operationId, try: number }: AttemptOutcome,
  { challengeId, redirectUrl, expiresAt }: Extract<AttemptResponse, { kind: 'ChallengeRequired' }>,
): PaymentEvent {
  const data = { at, operationId, try: number, challengeId, redirectUrl, expiresAt };
  return { type: 'ChallengeOpened', data };
}

function approvalEvents(
  operation: Operation,
  outcome: AttemptOutcome,
  amount: Cents,
  expiresAt: string,
): PaymentEvent[] {
  const amountBreakdown = approvedBreakdown(operation.amountBreakdown, operation.amount, amount);
  const of = { originalOperationId: operation.originalId ?? operation.id };
  switch (operation.attempt?.executedAs) {
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
function declineEvents(payment: Payment, operation: Operation, outcome: AttemptOutcome): PaymentEvent[] {
  const byForm =
    payment.form !== undefined &&
    operation.originalId === undefined &&
    operation.progress.status !== 'Processing';
  if (!byForm) return [{ type: 'Declined', data: { ...outcome, resultCode: 0 } }];
  const resultCode = formResultCode(outcome);
  return outcome.try < MAX_FORM_ATTEMPTS
    ? [{ type: 'TryFailed', data: { ...outcome, resultCode, cause: 'Declined' } }]
    : [{ type: 'Declined', data: { ...outcome, resultCode } }];
}

/** `docs/spec/transactions.md#endings`: 3-D Secure, then gateway, then no token, then the issuer. */
function formResultCode({ threeDs, responseCode }: AttemptOutcome): ResultCode {
  if (threeDs?.status === 'Failed') return 6800;
  if (threeDs?.status === 'Unavailable') return 6801;
  if (threeDs?.status === 'NotEnrolled') return 6802;
  if (responseCode === ResponseCode.Unknown) return 6902;
  return responseCode >= ResponseCode.NetworkError ? 6901 : 6900;
}

/**
 * The processor's own batch closed before ours (`docs/spec/payments.md#refund`): a refund falls back from void to
 * refund as a new try, so does the reversal of a late sale or capture; a void is answered with 20. What was only
 * authorized, or given back, is never refunded.
 */
function processorBatchClosedEvents(
  payment: Payment,
  operation: Operation,
  outcome: AttemptOutcome,
  { at, nextWindow }: RecordResponse,
): PaymentEvent[] {
  const original = operation.originalId && findOperation(payment, operation.originalId);
  const refundable =
    original &&
    isCaptured(original.kind) &&
    operation.kind !== 'Void' &&
    operation.attempt?.executedAs !== 'Refund';
  if (!refundable || !operation.attempt) {
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
    ...attemptPlan(operation.attempt, nextWindow),
  };
  return [
    { type: 'TryFailed', data: { ...outcome, resultCode: 0, cause: 'ProcessorBatchClosed' } },
    { type: 'TryRequested', data: next },
  ];
}

/** Approved, though history says that this try moved no money. Told once of each try. */
function isLateApproval(operation: Operation, { answer, try: number }: RecordResponse): boolean {
  if (answer.kind !== 'Approved' || operation.lateApprovals.some((late) => late.try === number)) return false;
  return operation.progress.status !== 'Approved' || operation.responses[0]?.outcome.try !== number;
}

/**
 * An approval of what was closed as "did not happen", or of an attempt that this history does not have, is a late one;
 * every other answer to an attempt that is over was recorded before.
 */
export function lateResponseEvents(
  payment: Payment,
  operation: Operation,
  command: RecordResponse,
): PaymentEvent[] {
  const { answer } = command;
  if (answer.kind !== 'Approved' || !isLateApproval(operation, command)) return [];
  const outcome = attemptOutcome(payment, operation, command);
  return [{ type: 'LateApprovalFound', data: { ...outcome, amount: answer.amount } }];
}

/**
 * What a terminal's end means for the customer is ours to say, not its adapter's
 * (`docs/spec/terminals.md#endings-at-the-terminal`).
 */
function cancelledEvent(
  { at, operationId, try: number, source, hostText, terminalId }: AttemptOutcome,
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

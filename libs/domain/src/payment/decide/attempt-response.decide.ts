import { attemptPlan } from '../../attempt/index.js';
import { ResponseCode, type ResultCode } from '../../shared/codes.js';
import { approvedBreakdown, type Cents } from '../../shared/money.js';
import {
  attemptOutcome,
  cancellation,
  type RecordResponse,
  type AttemptResponse,
} from '../attempt.response.js';
import type { PaymentEvent, AttemptOutcome } from '../payment.events.js';
import { isCaptured } from './request.rules.js';
import { findOperation, type Operation, type Payment } from '../payment.state.js';

/** The last declined submission ends a hosted form (`docs/spec/hosted-form.md#session`). */
export const MAX_FORM_ATTEMPTS = 5;

/** The events of an answer to the operation's open attempt. */
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
    case 'CustomerCancelled':
      return [{ type: 'Cancelled', data: cancellation(outcome, answer) }];
    case 'ProcessorBatchClosed':
      return processorBatchClosedEvents(payment, operation, outcome, command);
  }
}

/** The challenge is open or has ended. A processor may report it several times, also after its end. */
function isKnownChallenge({ progress, attempt }: Operation, challengeId: string): boolean {
  const isOpen = progress.status === 'ChallengeOpen' && progress.challengeId === challengeId;
  return isOpen || (attempt?.endedChallenges?.includes(challengeId) ?? false);
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
  const originalOperationId = operation.originalId ?? operation.id;
  switch (operation.attempt?.executedAs) {
    case 'Sale':
      return [
        {
          type: 'Authorized',
          data: { ...outcome, amount, requestedAmount: operation.amount, amountBreakdown },
        },
        {
          type: 'Captured',
          data: { ...outcome, receiptLines: [], amount, amountBreakdown, originalOperationId },
        },
      ];
    case 'Authorize':
      return [
        {
          type: 'Authorized',
          data: { ...outcome, amount, requestedAmount: operation.amount, amountBreakdown, expiresAt },
        },
      ];
    case 'Capture':
      return [{ type: 'Captured', data: { ...outcome, amount, amountBreakdown, originalOperationId } }];
    case 'Void':
      return [{ type: 'Voided', data: { ...outcome, amount, originalOperationId } }];
    case 'UnreferencedRefund':
      return [{ type: 'Refunded', data: { ...outcome, amount } }];
    case 'Refund':
    case 'Reverse':
    case undefined:
      return operation.kind === 'Reversal'
        ? [{ type: 'Reversed', data: { ...outcome, amount, originalOperationId } }]
        : [{ type: 'Refunded', data: { ...outcome, amount, originalOperationId } }];
  }
}

/** A hosted form goes on after a decline, until its fifth. A decline ends every other operation, also a form that a bank declines later. */
function declineEvents(payment: Payment, operation: Operation, outcome: AttemptOutcome): PaymentEvent[] {
  const isForm =
    payment.form !== undefined &&
    operation.originalId === undefined &&
    operation.progress.status !== 'Processing';
  if (!isForm) return [{ type: 'Declined', data: { ...outcome, resultCode: 0 } }];
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
 * The processor's own batch closed before ours (`docs/spec/payments.md#refund`). A refund falls back from void to refund
 * with a new attempt; so does the reversal of a late sale or capture. A void is declined with 20. An amount that was only
 * authorized, or was refunded already, is never refunded.
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

/** An approval of an attempt that moved no money by the recorded history. Recorded once for each attempt. */
function isLateApproval(operation: Operation, { answer, try: number }: RecordResponse): boolean {
  if (answer.kind !== 'Approved' || operation.lateApprovals.some((late) => late.try === number)) return false;
  return operation.progress.status !== 'Approved' || operation.responses[0]?.outcome.try !== number;
}

/**
 * An approval is late if the attempt was closed as not executed, or is not in the stream. Every other answer to an
 * attempt that has an outcome is a repetition.
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

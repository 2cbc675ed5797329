import {
  attemptPlan,
  type AttemptEventData,
  type AttemptOutcome,
  type AttemptResponse,
  type ProcessorAccount,
  type RecordAttemptResponse,
  type ResponseFacts,
  type SendWindow,
} from '../../attempt/index.js';
import { attemptOutcome, cancellation } from '../../attempt/attempt.response.js';
import { formResultCode, leavesFormOpen } from '../../hosted-form/index.js';
import { ResponseCode } from '../../shared/codes.js';
import { approvedBreakdown, type Cents } from '../../shared/money.js';
import { pick } from '../../shared/pick.js';
import type { PaymentEvent } from '../payment.events.js';
import {
  accountOfAttempt,
  findOperation,
  isCaptured,
  type Operation,
  type Payment,
} from '../payment.state.js';

export interface RecordResponse extends RecordAttemptResponse {
  /** The account that answered, for an answer to an attempt that is not in the stream. */
  readonly answeredBy?: ProcessorAccount;
  /** Of an approved authorization. */
  readonly expiresAt: string;
  /** For the attempt that follows at once if a void falls back to a refund. */
  readonly nextWindow: SendWindow;
}

/** The events of an answer to the operation's open attempt. */
export function responseEvents(
  payment: Payment,
  operation: Operation,
  command: RecordResponse,
): PaymentEvent[] {
  const { answer } = command;
  const outcome = outcomeOf(payment, operation, command);
  switch (answer.kind) {
    case 'Approved':
      return approvalEvents(operation, outcome, answer.amount, command.expiresAt);
    case 'Submitted':
      return operation.progress.status === 'Processing' ? [] : [{ type: 'Submitted', data: outcome }];
    case 'ChallengeRequired':
      return isKnownChallenge(operation, answer.challengeId) ? [] : [challengeOpenedEvent(outcome, answer)];
    case 'Declined':
      return [declineEvent(payment, operation, outcome)];
    case 'TerminalEnded':
    case 'CustomerCancelled':
      return [{ type: 'Cancelled', data: cancellation(outcome, answer) }];
    case 'ProcessorBatchClosed':
      return processorBatchClosedEvents(payment, operation, outcome, command);
  }
}

/** The service declined the attempt before it was sent. */
export function declineBeforeSending(
  payment: Payment,
  operation: Operation,
  attempt: AttemptEventData,
  facts: ResponseFacts,
): PaymentEvent {
  const answer = { kind: 'Declined', facts } as const;
  const outcome = outcomeOf(payment, operation, { ...attempt, source: 'Service', answer, receiptLines: [] });
  return declineEvent(payment, operation, outcome);
}

/** The event of an attempt that moved no money, if another attempt of the operation followed it. */
export function failedAttemptEvent(
  payment: Payment,
  operation: Operation,
  command: RecordAttemptResponse,
): PaymentEvent {
  const outcome = outcomeOf(payment, operation, command);
  return command.answer.kind === 'ProcessorBatchClosed'
    ? { type: 'TryFailed', data: { ...outcome, resultCode: 0, cause: 'ProcessorBatchClosed' } }
    : { type: 'TryFailed', data: { ...outcome, resultCode: formResultCode(outcome), cause: 'Declined' } };
}

/** A capture, void or refund is sent without a card; reports and fees need the card that paid. */
function outcomeOf(
  payment: Payment,
  operation: Operation,
  command: RecordAttemptResponse & Pick<RecordResponse, 'answeredBy'>,
): AttemptOutcome {
  const { channel, paymentMethod, operations } = payment;
  // Another attempt of a form may have another card; a bank answers the same attempt twice.
  const paid =
    operation.originalId === undefined
      ? operation.responses.find(({ outcome }) => outcome.try === command.try)?.outcome
      : operations[0]?.responses[0]?.outcome;
  const { attempt } = operation;
  const facts = {
    ...(paid && pick(paid, 'card', 'accountType')),
    ...(attempt?.number === command.try && pick(attempt, 'threeDs')),
    ...command.answer.facts,
  };
  return attemptOutcome(command, facts, {
    commandId: operation.commandIds[command.try] ?? operation.commandIds.at(-1) ?? '',
    ...(accountOfAttempt(operation, command.try) ?? command.answeredBy),
    channel,
    paymentMethod,
  });
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
  const approved = { ...outcome, amount };
  const authorized = { ...approved, requestedAmount: operation.amount, amountBreakdown };
  const originalOperationId = operation.originalId ?? operation.id;
  switch (operation.attempt?.executedAs) {
    case 'Sale':
      return [
        { type: 'Authorized', data: authorized },
        { type: 'Captured', data: { ...approved, receiptLines: [], amountBreakdown, originalOperationId } },
      ];
    case 'Authorize':
      return [{ type: 'Authorized', data: { ...authorized, expiresAt } }];
    case 'Capture':
      return [{ type: 'Captured', data: { ...approved, amountBreakdown, originalOperationId } }];
    case 'Void':
      return [{ type: 'Voided', data: { ...approved, originalOperationId } }];
    case 'UnreferencedRefund':
      return [{ type: 'Refunded', data: approved }];
    case 'Refund':
    case 'Reverse':
    case undefined: {
      const type = operation.kind === 'Reversal' ? 'Reversed' : 'Refunded';
      return [{ type, data: { ...approved, originalOperationId } }];
    }
  }
}

/**
 * A hosted form goes on until its fifth decline. Any other operation ends. So does a form that a bank declines later, or an
 * operator: the service then inquires late whether the attempt was executed after all, before the customer pays again.
 */
function declineEvent(payment: Payment, operation: Operation, outcome: AttemptOutcome): PaymentEvent {
  const isForm =
    payment.form !== undefined &&
    operation.originalId === undefined &&
    operation.progress.status !== 'Processing';
  if (!isForm) return { type: 'Declined', data: { ...outcome, resultCode: 0 } };
  const resultCode = formResultCode(outcome);
  return leavesFormOpen(outcome)
    ? { type: 'TryFailed', data: { ...outcome, resultCode, cause: 'Declined' } }
    : { type: 'Declined', data: { ...outcome, resultCode } };
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
  const plan = attemptPlan(operation.attempt, nextWindow);
  const request = { executedAs: 'Refund', amount: operation.amount, ...plan } as const;
  return [
    { type: 'TryFailed', data: { ...outcome, resultCode: 0, cause: 'ProcessorBatchClosed' } },
    { type: 'TryRequested', data: { at, operationId, commandId, try: outcome.try + 1, ...request } },
  ];
}

/**
 * An approval is late if the attempt was closed as not executed, or is not in the stream; it is recorded once for each
 * attempt. Every other answer to an attempt that has an outcome is a repetition.
 */
export function lateResponseEvents(
  payment: Payment,
  operation: Operation,
  command: RecordResponse,
): PaymentEvent[] {
  const { answer, try: number } = command;
  const { lateApprovals, progress, responses } = operation;
  if (answer.kind !== 'Approved' || lateApprovals.some((late) => late.try === number)) return [];
  if (progress.status === 'Approved' && responses[0]?.outcome.try === number) return [];
  const outcome = outcomeOf(payment, operation, command);
  return [{ type: 'LateApprovalFound', data: { ...outcome, amount: answer.amount } }];
}

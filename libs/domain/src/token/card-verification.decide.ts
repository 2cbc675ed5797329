import { ResponseCode } from '../shared/codes.js';
import { attemptSteps } from '../attempt/index.js';
import type { AttemptOutcome } from '../payment/payment.events.js';
import type { PaymentMethodSnapshot } from '../shared/event.shapes.js';
import { cancellation, type ResponseFacts } from '../payment/attempt.response.js';
import type { RecordVerification, TokenRejection } from './token.commands.js';
import type { TokenEvent } from './token.events.js';
import { findTokenOperation, type Token, type TokenOperation, type TokenState } from './token.state.js';

/*
 * The verification of a card with its issuer: the steps of an attempt, and the events of an answer. No money moves, so a
 * late execution of a verification that was closed as not executed is ignored.
 */

/** The steps of a verification. It is never sent twice, since no process may have the card in memory any more. */
export const {
  interrupt: interruptVerification,
  notSent: recordVerificationNotSent,
  closeNotExecuted: closeVerificationNotExecuted,
  resend: resendVerification,
  recordResponse: recordVerification,
} = attemptSteps<TokenState, TokenOperation, RecordVerification, TokenEvent, TokenRejection>({
  findOperation: findTokenOperation,
  interrupted: (data) => ({ type: 'VerificationInterrupted', data }),
  notSent: (data) => ({ type: 'VerificationNotSent', data }),
  notExecuted: (data) => ({ type: 'VerificationNotExecuted', data }),
  resendRequested: () => undefined,
  rejectImpossibleResponse: () => undefined,
  responseEvents: (state, operation, command) => [
    responseEvent(state as Token, attemptOutcome(state as Token, operation, command), command),
  ],
  lateResponseEvents: () => [],
  outOfOrder: (message) => ({ code: 'StepOutOfOrder', message }),
});

function responseEvent(token: Token, outcome: AttemptOutcome, command: RecordVerification): TokenEvent {
  const { answer } = command;
  switch (answer.kind) {
    case 'Approved':
      return approvalEvent(token, outcome, command);
    case 'TerminalEnded':
    case 'CustomerCancelled':
      return { type: 'VerificationCancelled', data: cancellation(outcome, answer) };
    case 'Declined':
    case 'ProcessorBatchClosed':
      return { type: 'VerificationDeclined', data: { ...outcome, resultCode: 0 } };
    // A verification has to be answered at once: it has no status for waiting for a bank or a cardholder.
    case 'Submitted':
    case 'ChallengeRequired':
      return declineEvent(
        outcome,
        ResponseCode.NotSupported,
        'the processor did not answer the check at once',
      );
  }
}

/** An approval without card or account data counts as a decline, since the token could not be used. */
function approvalEvent(token: Token, outcome: AttemptOutcome, command: RecordVerification): TokenEvent {
  if (!outcome.card && command.accountNumber === undefined) {
    return declineEvent(outcome, ResponseCode.Unknown, 'approved, but the card was not told');
  }
  const data = { ...outcome, responseCode: ResponseCode.Approved };
  return { type: 'TokenCreated', data: { ...data, token: tokenSnapshot(token, outcome, command) } };
}

function declineEvent(outcome: AttemptOutcome, responseCode: ResponseCode, hostText: string): TokenEvent {
  return { type: 'VerificationDeclined', data: { ...outcome, responseCode, hostText, resultCode: 0 } };
}

function attemptOutcome(
  token: Token,
  operation: TokenOperation,
  command: RecordVerification,
): AttemptOutcome {
  const { at, operationId, source, reason, receiptLines } = command;
  const { facts } = command.answer;
  const { attempt } = operation;
  return {
    at,
    operationId,
    commandId: operation.commandIds.at(-1) ?? '',
    try: command.try,
    source,
    ...(reason !== undefined && { reason }),
    ...(attempt && { processor: attempt.processor, processorAccount: attempt.processorAccount }),
    channel: token.channel,
    paymentMethod: { ...token.paymentMethod, ...cardFields(facts) },
    receiptLines,
    ...facts,
  };
}

/** The token as a payment method. */
function tokenSnapshot(
  token: Token,
  outcome: AttemptOutcome,
  { personal, accountNumber, answer }: RecordVerification,
): PaymentMethodSnapshot {
  return {
    id: token.id,
    type: 'Token',
    currency: token.currency,
    ...(token.description !== undefined && { description: token.description }),
    ...cardFields(answer.facts),
    ...(outcome.accountType && { accountType: outcome.accountType }),
    ...(accountNumber !== undefined && { accountNumber }),
    ...(personal && { personal }),
  };
}

function cardFields({ card, accountType }: ResponseFacts): Partial<PaymentMethodSnapshot> {
  return {
    ...(card && { cardType: card.cardType, maskedCardNumber: card.maskedCardNumber }),
    ...(accountType && { accountType }),
  };
}

import { ResponseCode, responseCodeOfTerminalResult, type ResultCode } from '../shared/codes.js';
import { attemptSteps } from '../attempt/index.js';
import type { AttemptOutcome } from '../payment/payment.events.js';
import type { PaymentMethodSnapshot } from '../shared/event.shapes.js';
import type { ResponseFacts } from '../payment/attempt.response.js';
import type { RecordVerification, TokenRejection } from './token.commands.js';
import type { TokenEvent } from './token.events.js';
import { findTokenOperation, type Token, type TokenOperation, type TokenState } from './token.state.js';

/*
 * The check of a card with its issuer: the steps of an attempt, and what an answer makes of the token. No money is in it,
 * so what was closed as "did not happen" stays closed.
 */

/** The steps of a check. It is never sent twice: the card may be in no process's memory any more. */
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
      return cancelledEvent(
        outcome,
        'Terminal',
        answer.resultCode,
        responseCodeOfTerminalResult(answer.resultCode),
      );
    case 'CustomerCancelled':
      return cancelledEvent(outcome, 'Customer', 0, ResponseCode.UserCancelled);
    case 'Declined':
    case 'ProcessorBatchClosed':
      return { type: 'VerificationDeclined', data: { ...outcome, resultCode: 0 } };
    // A check has to be answered at once: it must not show as waiting for a bank or for its cardholder.
    case 'Submitted':
    case 'ChallengeRequired':
      return declineEvent(
        outcome,
        ResponseCode.NotSupported,
        'the processor did not answer the check at once',
      );
  }
}

/** Of 0.00 there is no part, so it is approved or not. What names no card or account can't be paid with. */
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
  const { attempt: lastTry } = operation;
  return {
    at,
    operationId,
    commandId: operation.commandIds.at(-1) ?? '',
    try: command.try,
    source,
    ...(reason !== undefined && { reason }),
    ...(lastTry && { processor: lastTry.processor, processorAccount: lastTry.processorAccount }),
    channel: token.channel,
    paymentMethod: { ...token.paymentMethod, ...cardFields(facts) },
    receiptLines,
    ...facts,
  };
}

/** From here on the payment method is the token itself. */
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

function cancelledEvent(
  { at, operationId, try: number, source, hostText, terminalId }: AttemptOutcome,
  by: 'Terminal' | 'Customer',
  resultCode: ResultCode,
  responseCode: ResponseCode,
): TokenEvent {
  const data = { at, operationId, try: number, source, by, resultCode, responseCode };
  const more = {
    ...(hostText !== undefined && { hostText }),
    ...(terminalId !== undefined && { terminalId }),
  };
  return { type: 'VerificationCancelled', data: { ...data, ...more } };
}

import { ResponseCode, responseCodeOfTerminalResult, type ResultCode } from '../shared/codes.js';
import { attemptSteps } from '../attempt/index.js';
import type { PaymentMethodSnapshot, TryOutcome } from '../payment/payment.events.js';
import type { AnswerFacts } from '../payment/payment.answer.facts.js';
import type { RecordVerification, TokenRefusal } from './token.commands.js';
import type { TokenEvent } from './token.events.js';
import { findTokenOperation, type Token, type TokenOperation, type TokenState } from './token.state.js';

/*
 * The check of a card with its issuer: the steps of an attempt, and what an answer makes of the token. No money is in it,
 * so what was closed as "did not happen" stays closed.
 */

/** The steps of a check. It is never sent twice: the card may be in no process's memory any more. */
export const {
  interrupt: interruptVerification,
  notSent: verificationNotSent,
  closeNotExecuted: verificationNotExecuted,
  resend: resendVerification,
  recordAnswer: recordVerification,
} = attemptSteps<TokenState, TokenOperation, RecordVerification, TokenEvent, TokenRefusal>({
  find: findTokenOperation,
  interrupted: (data) => ({ type: 'VerificationInterrupted', data }),
  notSent: (data) => ({ type: 'VerificationNotSent', data }),
  notExecuted: (data) => ({ type: 'VerificationNotExecuted', data }),
  resendRequested: () => undefined,
  impossibleAnswer: () => undefined,
  ending: (state, operation, command) => [
    ending(state as Token, outcomeOf(state as Token, operation, command), command),
  ],
  late: () => [],
  outOfOrder: (message) => ({ code: 'StepOutOfOrder', message }),
});

function ending(token: Token, outcome: TryOutcome, command: RecordVerification): TokenEvent {
  const { answer } = command;
  switch (answer.kind) {
    case 'Approved':
      return approved(token, outcome, command);
    case 'TerminalEnded':
      return cancelled(
        outcome,
        'Terminal',
        answer.resultCode,
        responseCodeOfTerminalResult(answer.resultCode),
      );
    case 'CustomerCancelled':
      return cancelled(outcome, 'Customer', 0, ResponseCode.UserCancelled);
    case 'Declined':
    case 'ProcessorBatchClosed':
      return { type: 'VerificationDeclined', data: { ...outcome, resultCode: 0 } };
    // A check has to be answered at once: it must not show as waiting for a bank or for its cardholder.
    case 'Submitted':
    case 'ChallengeRequired':
      return noToken(outcome, ResponseCode.NotSupported, 'the processor did not answer the check at once');
  }
}

/** Of 0.00 there is no part, so it is approved or not. What names no card or account can't be paid with. */
function approved(token: Token, outcome: TryOutcome, command: RecordVerification): TokenEvent {
  if (!outcome.card && command.accountNumber === undefined) {
    return noToken(outcome, ResponseCode.Unknown, 'approved, but the card was not told');
  }
  const data = { ...outcome, responseCode: ResponseCode.Approved };
  return { type: 'TokenCreated', data: { ...data, token: tokenSnapshot(token, outcome, command) } };
}

function noToken(outcome: TryOutcome, responseCode: ResponseCode, hostText: string): TokenEvent {
  return { type: 'VerificationDeclined', data: { ...outcome, responseCode, hostText, resultCode: 0 } };
}

function outcomeOf(token: Token, operation: TokenOperation, command: RecordVerification): TryOutcome {
  const { at, operationId, source, reason, receiptLines } = command;
  const { facts } = command.answer;
  const { try: lastTry } = operation;
  return {
    at,
    operationId,
    commandId: operation.commandIds.at(-1) ?? '',
    try: command.try,
    source,
    ...(reason !== undefined && { reason }),
    ...(lastTry && { processor: lastTry.processor, processorAccount: lastTry.processorAccount }),
    channel: token.channel,
    paymentMethod: { ...token.paymentMethod, ...cardOf(facts) },
    receiptLines,
    ...facts,
  };
}

/** From here on the payment method is the token itself. */
function tokenSnapshot(
  token: Token,
  outcome: TryOutcome,
  { personal, accountNumber, answer }: RecordVerification,
): PaymentMethodSnapshot {
  return {
    id: token.id,
    type: 'Token',
    currency: token.currency,
    ...(token.description !== undefined && { description: token.description }),
    ...cardOf(answer.facts),
    ...(outcome.accountType && { accountType: outcome.accountType }),
    ...(accountNumber !== undefined && { accountNumber }),
    ...(personal && { personal }),
  };
}

function cardOf({ card, accountType }: AnswerFacts): Partial<PaymentMethodSnapshot> {
  return {
    ...(card && { cardType: card.cardType, maskedCardNumber: card.maskedCardNumber }),
    ...(accountType && { accountType }),
  };
}

function cancelled(
  { at, operationId, try: number, source, hostText, terminalId }: TryOutcome,
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

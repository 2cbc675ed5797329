import { ResponseCode, responseCodeOfTerminalResult, type ResultCode } from '../shared/codes.js';
import { accepted, refused } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { OutcomeSource, PaymentMethodSnapshot, TryOutcome } from '../payment/payment.events.js';
import type { AnswerFacts } from '../payment/payment.answer.facts.js';
import type { OfVerification, RecordVerification, TokenDecision } from './token.commands.js';
import type { TokenEvent } from './token.events.js';
import { findTokenOperation, type Token, type TokenOperation, type TokenState } from './token.state.js';

/*
 * The check of a card on its way to the issuer and back, by the steps of a payment's try. No money is in it, so what was
 * closed as "did not happen" stays closed. Each step may be told twice or too late: then nothing is left to say.
 */

/** What came of the check. The card of an approval is in the vault already. */
export function recordVerification(state: TokenState, command: RecordVerification): TokenDecision {
  if (state.status === 'None' || !findTokenOperation(state, command.operationId)) {
    return refused({ code: 'StepOutOfOrder', message: 'Nobody asked for this payment method.' });
  }
  const operation = verificationInHand(state, command.operationId, command.try);
  if (!operation) return accepted([], command.operationId);
  return accepted([ending(state, outcomeOf(state, operation, command), command)], operation.id);
}

/** No answer in time, or none found after a crash. */
export function interruptVerification(
  state: TokenState,
  command: OfVerification & { readonly cause: 'NoAnswer' | 'Abandoned'; readonly lostLink: boolean },
): TokenDecision {
  const { at, operationId, try: number, cause, lostLink } = command;
  const operation = verificationInHand(state, operationId, number);
  if (operation?.progress.status !== 'InFlight') return accepted([], operationId);
  const data = { at, operationId, try: number, cause, lostLink };
  return accepted([{ type: 'VerificationInterrupted', data }], operationId);
}

/** Nothing of it left this service. */
export function verificationNotSent(
  state: TokenState,
  { at, operationId, try: number, reason }: OfVerification & { readonly reason: string },
): TokenDecision {
  const operation = verificationInHand(state, operationId, number);
  if (operation?.progress.status !== 'InFlight') return accepted([], operationId);
  return accepted(
    [{ type: 'VerificationNotSent', data: { at, operationId, try: number, reason } }],
    operationId,
  );
}

/** The processor promised never to execute it, or an operator says that it did not. */
export function verificationNotExecuted(
  state: TokenState,
  command: OfVerification & { readonly source: OutcomeSource; readonly reason?: string },
): TokenDecision {
  const { at, operationId, try: number, source, reason } = command;
  if (!verificationInHand(state, operationId, number)) return accepted([], operationId);
  const data = { at, operationId, try: number, source, ...(reason !== undefined && { reason }) };
  return accepted([{ type: 'VerificationNotExecuted', data }], operationId);
}

/** The operation, while this is its last try and the try has no outcome. */
function verificationInHand(
  state: TokenState,
  operationId: OperationId,
  number: number,
): TokenOperation | undefined {
  const operation = findTokenOperation(state, operationId);
  if (operation?.try?.number !== number) return undefined;
  const { status } = operation.progress;
  return status === 'InFlight' || status === 'Interrupted' ? operation : undefined;
}

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
    // A check is answered at once: nobody will say more of it, so it must not show as waiting for a bank.
    case 'Submitted':
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
  const { at, operationId, source, reason, processor, processorAccount, receiptLines } = command;
  const { facts } = command.answer;
  return {
    at,
    operationId,
    commandId: operation.commandIds.at(-1) ?? '',
    try: command.try,
    source,
    ...(reason !== undefined && { reason }),
    ...(processor !== undefined && { processor }),
    ...(processorAccount !== undefined && { processorAccount }),
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

import { attemptOutcome, cancellation, cardFields } from '../attempt/attempt.response.js';
import { attemptSteps, type AttemptOutcome } from '../attempt/index.js';
import { formResultCode, leavesFormOpen } from '../hosted-form/index.js';
import { ResponseCode } from '../shared/codes.js';
import type { PaymentMethodSnapshot } from '../shared/event.shapes.js';
import { pick } from '../shared/pick.js';
import { threeDsSteps } from '../three-ds/index.js';
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
  responseEvents: (state, operation, command) => [responseEvent(state as Token, operation, command)],
  lateResponseEvents: () => [],
  outOfOrder: (message) => ({ code: 'StepOutOfOrder', message }),
});

/** The authentication of a cardholder by the service's own 3-D Secure server. */
export const { openChallenge: openVerificationChallenge, completeThreeDs: completeVerificationThreeDs } =
  threeDsSteps<TokenState, TokenOperation, TokenEvent, TokenRejection>({
    findOperation: findTokenOperation,
    completed: (data) => ({ type: 'VerificationThreeDsCompleted', data }),
    challengeOpened: (data) => ({ type: 'VerificationChallengeOpened', data }),
    challengeEnded: (data) => ({ type: 'VerificationChallengeEnded', data }),
    declined(state, operation, attempt, facts) {
      const answer = { kind: 'Declined', facts } as const;
      const command = { ...attempt, source: 'Service', answer, receiptLines: [] } as const;
      return responseEvent(state as Token, operation, command);
    },
    outOfOrder: (message) => ({ code: 'StepOutOfOrder', message }),
  });

function responseEvent(token: Token, operation: TokenOperation, command: RecordVerification): TokenEvent {
  const { answer } = command;
  const { channel, paymentMethod } = token;
  const commandId = operation.commandIds.at(-1) ?? '';
  const account = operation.attempt && pick(operation.attempt, 'processor', 'processorAccount');
  const attempt = { commandId, ...account, channel, paymentMethod };
  const facts = { ...(operation.attempt && pick(operation.attempt, 'threeDs')), ...answer.facts };
  const outcome = attemptOutcome(command, facts, attempt);
  switch (answer.kind) {
    case 'Approved':
      return approvalEvent(token, outcome, command);
    case 'TerminalEnded':
    case 'CustomerCancelled':
      return { type: 'VerificationCancelled', data: cancellation(outcome, answer) };
    case 'Declined':
    case 'ProcessorBatchClosed':
      return declineEvent(token, outcome);
    // A verification has to be answered at once: it has no status for waiting for a bank or a cardholder.
    case 'Submitted':
    case 'ChallengeRequired':
      return declineEvent(token, {
        ...outcome,
        responseCode: ResponseCode.NotSupported,
        hostText: 'the processor did not answer the check at once',
      });
  }
}

/** An approval without card or account data counts as a decline, since the token could not be used. */
function approvalEvent(token: Token, outcome: AttemptOutcome, command: RecordVerification): TokenEvent {
  if (!outcome.card && command.accountNumber === undefined) {
    const hostText = 'approved, but the processor sent no card';
    return declineEvent(token, { ...outcome, responseCode: ResponseCode.Unknown, hostText });
  }
  const data = { ...outcome, responseCode: ResponseCode.Approved };
  return { type: 'TokenCreated', data: { ...data, token: tokenSnapshot(token, command) } };
}

/** A hosted form goes on until its fifth decline. */
function declineEvent({ form }: Token, outcome: AttemptOutcome): TokenEvent {
  if (!form) return { type: 'VerificationDeclined', data: { ...outcome, resultCode: 0 } };
  const data = { ...outcome, resultCode: formResultCode(outcome) };
  return { type: leavesFormOpen(outcome) ? 'VerificationFailed' : 'VerificationDeclined', data };
}

/** The token as a payment method. */
function tokenSnapshot(token: Token, command: RecordVerification): PaymentMethodSnapshot {
  return {
    ...pick(token, 'id', 'currency', 'description'),
    type: 'Token',
    ...cardFields(command.answer.facts),
    ...pick(command, 'accountNumber', 'personal'),
  };
}

import { formSteps } from '../../hosted-form/index.js';
import { accepted } from '../../shared/aggregate.js';
import { threeDsSteps } from '../../three-ds/index.js';
import type { PaymentDecision, PaymentRejection } from '../payment.commands.js';
import type { PaymentEvent, PaymentEvents } from '../payment.events.js';
import {
  findByCommandId,
  findOperation,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';
import { operationWithOpenAttempt } from './attempt.decide.js';
import { declineBeforeSending } from './attempt-response.decide.js';

/** The form of a sale, authorization or unreferenced refund. */
export const { submitForm, cancelForm, expireForm } = formSteps<
  PaymentState,
  Operation,
  PaymentEvent,
  PaymentRejection
>({
  find(state, operationId) {
    const operation = findOperation(state, operationId);
    const isOpening = operation && operation.originalId === undefined;
    return state.status === 'Opened' && isOpening && state.form ? { operation, form: state.form } : undefined;
  },
  findRepeated: (state, commandId) => findByCommandId(state, commandId)?.id,
  consentGiven: (data) => ({ type: 'ConsentGiven', data }),
  attemptRequested({ kind, amount }, { attemptPlan, personal: _personal, ...command }) {
    const executedAs = kind === 'Auth' ? 'Authorize' : kind === 'Sale' ? 'Sale' : 'UnreferencedRefund';
    return { type: 'TryRequested', data: { ...command, executedAs, amount, ...attemptPlan } };
  },
  cancelled: (data) => ({ type: 'Cancelled', data }),
  expired: (data) => ({ type: 'FormExpired', data }),
  declined: (data) => ({ type: 'Declined', data }),
  rejection: (code, message) => ({ code, message }),
});

/** The authentication of a cardholder by the service's own 3-D Secure server. */
export const { openChallenge, completeThreeDs } = threeDsSteps<
  PaymentState,
  Operation,
  PaymentEvent,
  PaymentRejection
>({
  findOperation,
  completed: (data) => ({ type: 'ThreeDsCompleted', data }),
  challengeOpened: (data) => ({ type: 'ChallengeOpened', data }),
  challengeEnded: (data) => ({ type: 'ChallengeEnded', data }),
  declined: (state, operation, attempt, facts) =>
    declineBeforeSending(state as Payment, operation, attempt, facts),
  outOfOrder: (message) => ({ code: 'StepOutOfOrder', message }),
});

/** The processor's own challenge has ended: a notice says so, and the processor goes on by itself. */
export function endChallenge(state: PaymentState, command: PaymentEvents['ChallengeEnded']): PaymentDecision {
  const operation = operationWithOpenAttempt(state, command.operationId, command.try);
  const isOpen =
    operation?.progress.status === 'ChallengeOpen' && operation.progress.challengeId === command.challengeId;
  return accepted(isOpen ? [{ type: 'ChallengeEnded', data: command }] : [], command.operationId);
}

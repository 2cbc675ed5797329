import { formSteps } from '../../hosted-form/index.js';
import { accepted } from '../../shared/aggregate.js';
import { reject, type PaymentDecision, type PaymentRejection } from '../payment.commands.js';
import type { PaymentEvent, PaymentEvents } from '../payment.events.js';
import { findByCommandId, findOperation, type Operation, type PaymentState } from '../payment.state.js';
import { operationWithOpenAttempt } from './attempt.decide.js';

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

export function openChallenge(
  state: PaymentState,
  command: PaymentEvents['ChallengeOpened'],
): PaymentDecision {
  const operation = operationWithOpenAttempt(state, command.operationId, command.try);
  if (operation?.progress.status !== 'InFlight') {
    return reject('StepOutOfOrder', 'No attempt waits for its authentication.');
  }
  return accepted([{ type: 'ChallengeOpened', data: command }], operation.id);
}

/** A repeated command adds no event. With `resumes` the service then sends the attempt, under its own key. */
export function endChallenge(state: PaymentState, command: PaymentEvents['ChallengeEnded']): PaymentDecision {
  const operation = operationWithOpenAttempt(state, command.operationId, command.try);
  const isOpen =
    operation?.progress.status === 'ChallengeOpen' && operation.progress.challengeId === command.challengeId;
  return accepted(isOpen ? [{ type: 'ChallengeEnded', data: command }] : [], command.operationId);
}

import type { AttemptPlan } from '../../attempt/index.js';
import { accepted, type Rejected } from '../../shared/aggregate.js';
import type { CommandEventData, OperationEventData } from '../../shared/event.shapes.js';
import type { OperationId } from '../../shared/ids.js';
import { reject, type PaymentDecision, type PaymentRejection } from '../payment.commands.js';
import type { PaymentEvent, PaymentEvents } from '../payment.events.js';
import { findByCommandId, findOperation, type Operation, type PaymentState } from '../payment.state.js';
import { operationWithOpenAttempt } from './attempt.decide.js';

/* The commands of a customer at a hosted form. Each submission is an attempt. */

/**
 * One submission at a time. The fifth declined submission ends the form, and so does its expiry
 * (`docs/spec/hosted-form.md#session`).
 */
export function submitForm(
  state: PaymentState,
  { attemptPlan, ...command }: CommandEventData & { readonly attemptPlan: AttemptPlan },
): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const form = findOpenForm(state, command.operationId);
  if ('kind' in form) return form;
  if (command.at >= form.expiresAt) return reject('FormExpired', 'The form has expired.');
  const { amount, kind, attempt } = form.operation;
  const executedAs = kind === 'Auth' ? 'Authorize' : kind === 'Sale' ? 'Sale' : 'UnreferencedRefund';
  const number = (attempt?.number ?? 0) + 1;
  const data = { ...command, try: number, executedAs, amount, ...attemptPlan } as const;
  return accepted([{ type: 'TryRequested', data }], command.operationId);
}

/** Before the first attempt the operation is cancelled with 55. */
export function cancelForm(state: PaymentState, command: OperationEventData): PaymentDecision {
  const data = { ...command, try: 0, by: 'Customer', source: 'Service', resultCode: 55 } as const;
  return endForm(state, { type: 'Cancelled', data });
}

export function expireForm(state: PaymentState, command: OperationEventData): PaymentDecision {
  return endForm(state, { type: 'FormExpired', data: command });
}

/** After a failed attempt the operation is declined with the attempt's result. Adds nothing if the form has ended. */
function endForm(
  state: PaymentState,
  ending: Extract<PaymentEvent, { type: 'Cancelled' | 'FormExpired' }>,
): PaymentDecision {
  const { at, operationId } = ending.data;
  const status = findOperation(state, operationId)?.progress.status;
  if (status === 'Cancelled' || status === 'FormExpired' || status === 'Declined') {
    return accepted([], operationId);
  }
  const form = findOpenForm(state, operationId);
  if ('kind' in form) return form;
  if (ending.type === 'FormExpired' && at < form.expiresAt) {
    return reject('StepOutOfOrder', 'The form has not expired yet.');
  }
  const last = form.operation.responses[0];
  if (!last) return accepted([ending], operationId);
  const data = { ...last.outcome, at, resultCode: last.resultCode };
  return accepted([{ type: 'Declined', data }], operationId);
}

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

function findOpenForm(
  state: PaymentState,
  operationId: OperationId,
): { readonly operation: Operation; readonly expiresAt: string } | Rejected<PaymentRejection> {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation || !state.form) {
    return reject('OriginalNotFound', 'There is no such form.');
  }
  switch (operation.progress.status) {
    case 'AwaitingCustomer':
      return { operation, expiresAt: state.form.expiresAt };
    case 'InFlight':
    case 'ChallengeOpen':
    case 'Interrupted':
      return reject('TryInFlight', 'A submission has no outcome yet.');
    case 'Declined':
      return reject('TriesSpent', 'The form has no tries left.');
    case 'FormExpired':
      return reject('FormExpired', 'The form has expired.');
    default:
      return reject('FormOver', 'The form is over.');
  }
}

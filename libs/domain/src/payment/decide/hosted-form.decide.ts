import { accepted, rejected } from '../../shared/decision.js';
import type { OperationId } from '../../shared/ids.js';
import type { AttemptPlan } from '../../attempt/index.js';
import type { PaymentDecision } from '../payment.commands.js';
import type { PaymentRejection } from '../payment.errors.js';
import type { PaymentEvent } from '../payment.events.js';
import type { ThreeDsFacts } from '../../shared/event.shapes.js';
import { operationWithOpenAttempt } from './attempt.decide.js';
import {
  findByCommandId,
  findOperation,
  type Operation,
  type Payment,
  type PaymentState,
} from '../payment.state.js';

/* The commands of a customer at a hosted form. Each submission is an attempt. */

interface FormCommand {
  readonly at: string;
  readonly operationId: OperationId;
}

/**
 * One submission at a time. The fifth declined submission ends the form, and so does its expiry
 * (`docs/spec/hosted-form.md#session`).
 */
export function submitForm(
  state: PaymentState,
  command: FormCommand & { readonly commandId: string; readonly attemptPlan: AttemptPlan },
): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const form = findOpenForm(state, command.operationId);
  if ('rejection' in form) return rejected(form.rejection);
  const { payment, operation } = form;
  if (payment.form && command.at >= payment.form.expiresAt) {
    return rejected({ code: 'FormExpired', message: 'The form has expired.' });
  }
  const { at, operationId, commandId, attemptPlan } = command;
  const { amount, kind } = operation;
  const executedAs = kind === 'Auth' ? 'Authorize' : kind === 'Sale' ? 'Sale' : 'UnreferencedRefund';
  const number = (operation.attempt?.number ?? 0) + 1;
  const data = { at, operationId, commandId, try: number, executedAs, amount, ...attemptPlan } as const;
  return accepted([{ type: 'TryRequested', data }], operationId);
}

/** After a failed attempt the operation is declined with its result; before the first one it is cancelled with 55. */
export function cancelForm(state: PaymentState, command: FormCommand): PaymentDecision {
  const closed = acceptClosedForm(state, command.operationId);
  if (closed) return closed;
  const form = findOpenForm(state, command.operationId);
  if ('rejection' in form) return rejected(form.rejection);
  return accepted(
    [declineWithLastAttempt(form.operation, command) ?? cancelledByCustomer(command)],
    command.operationId,
  );
}

export function expireForm(state: PaymentState, command: FormCommand): PaymentDecision {
  const closed = acceptClosedForm(state, command.operationId);
  if (closed) return closed;
  const form = findOpenForm(state, command.operationId);
  if ('rejection' in form) return rejected(form.rejection);
  const { payment, operation } = form;
  if (!payment.form || command.at < payment.form.expiresAt) {
    return rejected({ code: 'StepOutOfOrder', message: 'The form has not expired yet.' });
  }
  return accepted(
    [declineWithLastAttempt(operation, command) ?? { type: 'FormExpired', data: command }],
    operation.id,
  );
}

export function openChallenge(
  state: PaymentState,
  command: FormCommand & {
    readonly try: number;
    readonly challengeId: string;
    readonly redirectUrl: string;
    readonly expiresAt: string;
  },
): PaymentDecision {
  const operation = operationWithOpenAttempt(state, command.operationId, command.try);
  if (operation?.progress.status !== 'InFlight') {
    return rejected({ code: 'StepOutOfOrder', message: 'No attempt waits for its authentication.' });
  }
  return accepted([{ type: 'ChallengeOpened', data: command }], operation.id);
}

/** A repeated command adds no event. With `resumes` the service then sends the attempt, under its own key. */
export function endChallenge(
  state: PaymentState,
  command: FormCommand & {
    readonly try: number;
    readonly challengeId: string;
    readonly threeDs: ThreeDsFacts;
    readonly resumes?: { readonly sendBefore: string; readonly answerBefore: string };
  },
): PaymentDecision {
  const operation = operationWithOpenAttempt(state, command.operationId, command.try);
  const isOpen =
    operation?.progress.status === 'ChallengeOpen' && operation.progress.challengeId === command.challengeId;
  return accepted(isOpen ? [{ type: 'ChallengeEnded', data: command }] : [], command.operationId);
}

function findOpenForm(
  state: PaymentState,
  operationId: OperationId,
): { readonly payment: Payment; readonly operation: Operation } | { readonly rejection: PaymentRejection } {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation || !state.form) {
    return { rejection: { code: 'OriginalNotFound', message: 'There is no such form.' } };
  }
  switch (operation.progress.status) {
    case 'AwaitingCustomer':
      return { payment: state, operation };
    case 'InFlight':
    case 'ChallengeOpen':
    case 'Interrupted':
      return { rejection: { code: 'TryInFlight', message: 'A submission has no outcome yet.' } };
    case 'Declined':
      return { rejection: { code: 'TriesSpent', message: 'The form has no tries left.' } };
    case 'FormExpired':
      return { rejection: { code: 'FormExpired', message: 'The form has expired.' } };
    default:
      return { rejection: { code: 'FormOver', message: 'The form is over.' } };
  }
}

function acceptClosedForm(state: PaymentState, operationId: OperationId): PaymentDecision | undefined {
  const status = findOperation(state, operationId)?.progress.status;
  const isClosed = status === 'Cancelled' || status === 'FormExpired' || status === 'Declined';
  return isClosed ? accepted([], operationId) : undefined;
}

function declineWithLastAttempt(operation: Operation, { at }: FormCommand): PaymentEvent | undefined {
  const last = operation.responses[0];
  return last && { type: 'Declined', data: { ...last.outcome, at, resultCode: last.resultCode } };
}

function cancelledByCustomer({ at, operationId }: FormCommand): PaymentEvent {
  return {
    type: 'Cancelled',
    data: { at, operationId, try: 0, by: 'Customer', source: 'Service', resultCode: 55 },
  };
}

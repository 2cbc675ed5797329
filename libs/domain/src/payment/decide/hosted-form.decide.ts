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

/* A customer and a hosted form: each submission is a try; leaving is legal only with no try in flight. */

interface FormCommand {
  readonly at: string;
  readonly operationId: OperationId;
}

/**
 * One submission at a time; the fifth declined one ended the form, and so does its time
 * (`docs/spec/hosted-form.md#session`).
 */
export function submitForm(
  state: PaymentState,
  command: FormCommand & { readonly commandId: string; readonly tryPlan: AttemptPlan },
): PaymentDecision {
  const repeated = findByCommandId(state, command.commandId);
  if (repeated) return accepted([], repeated.id);
  const waiting = findOpenForm(state, command.operationId);
  if ('refusal' in waiting) return rejected(waiting.refusal);
  const { payment, operation } = waiting;
  if (payment.form && command.at >= payment.form.expiresAt) {
    return rejected({ code: 'FormExpired', message: 'The form has expired.' });
  }
  const { at, operationId, commandId, tryPlan } = command;
  const { amount, kind } = operation;
  const executedAs = kind === 'Auth' ? 'Authorize' : kind === 'Sale' ? 'Sale' : 'UnreferencedRefund';
  const number = (operation.attempt?.number ?? 0) + 1;
  const data = { at, operationId, commandId, try: number, executedAs, amount, ...tryPlan } as const;
  return accepted([{ type: 'TryRequested', data }], operationId);
}

/** After a failed try the operation completes with that try's result; before any it is cancelled with 55. */
export function cancelForm(state: PaymentState, command: FormCommand): PaymentDecision {
  const over = acceptClosedForm(state, command.operationId);
  if (over) return over;
  const waiting = findOpenForm(state, command.operationId);
  if ('refusal' in waiting) return rejected(waiting.refusal);
  return accepted(
    [declineWithLastAttempt(waiting.operation, command) ?? cancelledByCustomer(command)],
    command.operationId,
  );
}

export function expireForm(state: PaymentState, command: FormCommand): PaymentDecision {
  const over = acceptClosedForm(state, command.operationId);
  if (over) return over;
  const waiting = findOpenForm(state, command.operationId);
  if ('refusal' in waiting) return rejected(waiting.refusal);
  const { payment, operation } = waiting;
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
    return rejected({ code: 'StepOutOfOrder', message: 'No try waits for its authentication.' });
  }
  return accepted([{ type: 'ChallengeOpened', data: command }], operation.id);
}

/** A second answer changes nothing. With `resumes` the try goes on to the processor, under its own key. */
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
  const open =
    operation?.progress.status === 'ChallengeOpen' && operation.progress.challengeId === command.challengeId;
  return accepted(open ? [{ type: 'ChallengeEnded', data: command }] : [], command.operationId);
}

function findOpenForm(
  state: PaymentState,
  operationId: OperationId,
): { readonly payment: Payment; readonly operation: Operation } | { readonly refusal: PaymentRejection } {
  const operation = findOperation(state, operationId);
  if (state.status === 'None' || !operation || !state.form) {
    return { refusal: { code: 'OriginalNotFound', message: 'There is no such form.' } };
  }
  switch (operation.progress.status) {
    case 'AwaitingCustomer':
      return { payment: state, operation };
    case 'InFlight':
    case 'ChallengeOpen':
    case 'Interrupted':
      return { refusal: { code: 'TryInFlight', message: 'A submission has no outcome yet.' } };
    case 'Declined':
      return { refusal: { code: 'TriesSpent', message: 'The form has no tries left.' } };
    case 'FormExpired':
      return { refusal: { code: 'FormExpired', message: 'The form has expired.' } };
    default:
      return { refusal: { code: 'FormOver', message: 'The form is over.' } };
  }
}

function acceptClosedForm(state: PaymentState, operationId: OperationId): PaymentDecision | undefined {
  const status = findOperation(state, operationId)?.progress.status;
  const over = status === 'Cancelled' || status === 'FormExpired' || status === 'Declined';
  return over ? accepted([], operationId) : undefined;
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

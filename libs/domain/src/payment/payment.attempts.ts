import { attemptSteps, isInHand } from '../attempt/index.js';
import type { OperationId } from '../shared/ids.js';
import { ending, late } from './payment.answer.js';
import type { RecordAnswer } from './payment.answer.facts.js';
import type { Refusal } from './payment.errors.js';
import type { PaymentEvent } from './payment.events.js';
import { amountOutOfRange } from './payment.rules.js';
import { findOperation, type Operation, type Payment, type PaymentState } from './payment.state.js';

/** The steps of a payment's attempts. What opens a payment takes a customer's money, so it is never sent twice. */
export const { interrupt, notSent, closeNotExecuted, resend, recordAnswer } = attemptSteps<
  PaymentState,
  Operation,
  RecordAnswer,
  PaymentEvent,
  Refusal
>({
  find: findOperation,
  interrupted: (data) => ({ type: 'Interrupted', data }),
  notSent: (data) => ({ type: 'NotSent', data }),
  notExecuted: (data) => ({ type: 'NotExecuted', data }),
  resendRequested: ({ kind }, data) =>
    kind === 'Sale' || kind === 'Auth' || kind === 'UnreferencedRefund'
      ? undefined
      : { type: 'ResendRequested', data },
  // An approval of no amount: the operation stays without an outcome.
  impossibleAnswer: (_operation, { answer }) =>
    answer.kind === 'Approved' ? amountOutOfRange(answer.amount) : undefined,
  ending: (state, operation, command) => ending(state as Payment, operation, command),
  late: (state, operation, command) => late(state as Payment, operation, command),
  outOfOrder: (message) => ({ code: 'StepOutOfOrder', message }),
});

/** The operation, while this is its last attempt and the attempt has no outcome. */
export function tryInHand(
  state: PaymentState,
  operationId: OperationId,
  number: number,
): Operation | undefined {
  const operation = findOperation(state, operationId);
  return operation && isInHand(operation, number) ? operation : undefined;
}

import { attemptSteps, isOpenAttempt } from '../../attempt/index.js';
import type { OperationId } from '../../shared/ids.js';
import type { PaymentRejection } from '../payment.commands.js';
import type { PaymentEvent } from '../payment.events.js';
import { findOperation, type Operation, type Payment, type PaymentState } from '../payment.state.js';
import { lateResponseEvents, responseEvents, type RecordResponse } from './attempt-response.decide.js';
import { rejectAmountOutOfRange } from './request.rules.js';

/** A request that opens a payment takes a customer's money, so it is never sent twice. */
export const { interrupt, notSent, closeNotExecuted, resend, recordResponse } = attemptSteps<
  PaymentState,
  Operation,
  RecordResponse,
  PaymentEvent,
  PaymentRejection
>({
  findOperation,
  interrupted: (data) => ({ type: 'Interrupted', data }),
  notSent: (data) => ({ type: 'NotSent', data }),
  notExecuted: (data) => ({ type: 'NotExecuted', data }),
  resendRequested: ({ kind }, data) =>
    kind === 'Sale' || kind === 'Auth' || kind === 'UnreferencedRefund'
      ? undefined
      : { type: 'ResendRequested', data },
  // After an approval without a valid amount the operation stays without an outcome.
  rejectImpossibleResponse: (_operation, { answer }) =>
    answer.kind === 'Approved' ? rejectAmountOutOfRange(answer.amount) : undefined,
  responseEvents: (state, operation, command) => responseEvents(state as Payment, operation, command),
  lateResponseEvents: (state, operation, command) => lateResponseEvents(state as Payment, operation, command),
  outOfOrder: (message) => ({ code: 'StepOutOfOrder', message }),
});

/** The operation, if the attempt is its last one and has no outcome. */
export function operationWithOpenAttempt(
  state: PaymentState,
  operationId: OperationId,
  number: number,
): Operation | undefined {
  const operation = findOperation(state, operationId);
  return operation && isOpenAttempt(operation, number) ? operation : undefined;
}

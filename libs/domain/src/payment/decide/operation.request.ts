import { attemptPlan } from '../../attempt/index.js';
import { accepted, ImpossibleHistory } from '../../shared/aggregate.js';
import { ResponseCode } from '../../shared/codes.js';
import {
  FIRST_SERVICE_OPERATION,
  MAX_OPERATIONS,
  generatedReferenceId,
  formatOperationId,
  parseOperationId,
  type OperationId,
} from '../../shared/ids.js';
import type { Cents } from '../../shared/money.js';
import type { FollowUp, PaymentDecision } from '../payment.commands.js';
import type { PaymentEvent, ProcessorOperation } from '../payment.events.js';
import { accountOfAttempt, executedAttemptNumber, type Operation, type Payment } from '../payment.state.js';

/* The events of an accepted request. */

export interface FollowUpRequest {
  readonly payment: Payment;
  readonly command: FollowUp;
  readonly original: Operation;
  readonly kind: 'Capture' | 'Refund' | 'Void';
  readonly amount: Cents;
  readonly executedAs?: 'Void' | 'Refund';
}

/** The attempt goes to the processor and account that executed the original. */
export function requestOperation(request: FollowUpRequest, executedAs: ProcessorOperation): PaymentDecision {
  const { operationId, event } = newRequest(request);
  const { command, amount, original } = request;
  const account = accountOfAttempt(original, executedAttemptNumber(original));
  if (!account) throw new ImpossibleHistory(`operation ${original.id} is approved and was never sent`);
  const plan = attemptPlan(account, command.sendWindow);
  const { at, commandId } = command;
  const attempt = { at, operationId, commandId, try: 1, executedAs, amount, ...plan };
  return accepted([event, { type: 'TryRequested', data: attempt }], operationId);
}

/**
 * Declines without an attempt: 21 for an operation that was voided, 10 for an authorization that expired
 * (`docs/spec/transactions.md#endings`).
 */
export function declineWithoutProcessor(request: FollowUpRequest, responseCode: 10 | 21): PaymentDecision {
  const { operationId, event } = newRequest(request);
  const { channel, paymentMethod, terminalId } = request.payment;
  const { at, commandId } = request.command;
  const hostText = responseCode === ResponseCode.AlreadyVoided ? 'already voided' : 'authorization expired';
  const outcome = { at, operationId, commandId, try: 0, source: 'Service', responseCode, hostText } as const;
  const terminal = { channel, paymentMethod, ...(terminalId && { terminalId }), receiptLines: [] };
  return accepted(
    [event, { type: 'Declined', data: { ...outcome, ...terminal, resultCode: 0 } }],
    operationId,
  );
}

function newRequest({ payment, command, original, kind, amount, executedAs = 'Refund' }: FollowUpRequest): {
  readonly operationId: OperationId;
  readonly event: PaymentEvent;
} {
  const operationId = operationIdWithNumber(payment, nextOperationNumber(payment));
  const { sendWindow: _window, referenceId = generatedReferenceId(operationId), ...fields } = command;
  const data = { ...fields, operationId, referenceId, originalOperationId: original.id, amount };
  const event: PaymentEvent =
    kind === 'Refund'
      ? { type: 'RefundRequested', data: { ...data, executedAs } }
      : { type: kind === 'Capture' ? 'CaptureRequested' : 'VoidRequested', data };
  return { operationId, event };
}

/** The next operation number for a client's request. */
export function nextOperationNumber(payment: Payment): number {
  return (
    1 +
    lastNumber(
      payment.operations.filter(({ kind }) => kind !== 'Reversal'),
      -1,
    )
  );
}

/** The id for the service's next own operation; undefined if no number is left. */
export function nextServiceOperationId(payment: Payment): OperationId | undefined {
  const reversals = payment.operations.filter(({ kind }) => kind === 'Reversal');
  const number = 1 + lastNumber(reversals, FIRST_SERVICE_OPERATION - 1);
  return number < MAX_OPERATIONS ? operationIdWithNumber(payment, number) : undefined;
}

/**
 * The highest number, not the count: operations that were brought in after a restore may have gaps between them, and a
 * processor would answer a number that was used before with its old response. Ids of one payment ascend with their numbers.
 */
function lastNumber(operations: readonly Operation[], none: number): number {
  let last = '';
  for (const { id } of operations) if (id > last) last = id;
  return parseOperationId(last)?.number ?? none;
}

/** All ids of a payment have the same root, so that each gives the stream. */
function operationIdWithNumber(payment: Payment, number: number): OperationId {
  const address = parseOperationId(payment.operations[0]?.id ?? '');
  if (!address) throw new RangeError('the first operation of the payment has an invalid id');
  return formatOperationId({ ...address, number });
}

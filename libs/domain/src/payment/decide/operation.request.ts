import { attemptPlan, type AttemptPlan } from '../../attempt/index.js';
import { ResponseCode } from '../../shared/codes.js';
import { accepted } from '../../shared/decision.js';
import {
  FIRST_SERVICE_OPERATION,
  MAX_OPERATIONS,
  generatedReferenceId,
  formatOperationId as formatOperationId,
  parseOperationId,
  type OperationId,
} from '../../shared/ids.js';
import type { Cents } from '../../shared/money.js';
import type { FollowUp, PaymentDecision } from '../payment.commands.js';
import type { PaymentEvent, ProcessorOperation } from '../payment.events.js';
import { ImpossibleHistory } from '../../shared/impossible-history.js';
import { serviceOutcome } from './service.outcome.js';
import { accountOfAttempt, executedAttemptNumber, type Operation, type Payment } from '../payment.state.js';

/* How an accepted request begins: its number in the stream, its event, its first try. */

export interface FollowUpRequest {
  readonly payment: Payment;
  readonly command: FollowUp;
  readonly original: Operation;
  readonly kind: 'Capture' | 'Refund' | 'Void';
  readonly amount: Cents;
  readonly executedAs?: 'Void' | 'Refund';
}

/** The attempt goes to the processor and account that executed the original: no other knows of it. */
export function requestOperation(asked: FollowUpRequest, executedAs: ProcessorOperation): PaymentDecision {
  const { operationId, event } = newRequest(asked);
  const { command, amount, original } = asked;
  const account = accountOfAttempt(original, executedAttemptNumber(original));
  if (!account) throw new ImpossibleHistory(`operation ${original.id} is approved and was never sent`);
  const plan = attemptPlan(account, command.sendWindow);
  return accepted([event, firstAttempt(command, operationId, executedAs, amount, plan)], operationId);
}

/**
 * Nobody has to be asked: 21 for what was voided, 10 for an authorization that expired
 * (`docs/spec/transactions.md#endings`).
 */
export function declineWithoutProcessor(asked: FollowUpRequest, responseCode: 10 | 21): PaymentDecision {
  const { operationId, event } = newRequest(asked);
  const hostText = responseCode === ResponseCode.AlreadyVoided ? 'already voided' : 'authorization expired';
  const { at, commandId } = asked.command;
  const outcome = serviceOutcome(asked.payment, { at, commandId, operationId, responseCode, hostText });
  return accepted([event, { type: 'Declined', data: { ...outcome, resultCode: 0 } }], operationId);
}

function newRequest({ payment, command, original, kind, amount, executedAs }: FollowUpRequest): {
  readonly operationId: OperationId;
  readonly event: PaymentEvent;
} {
  const operationId = operationIdWithNumber(payment, nextOperationNumber(payment));
  const { sendWindow: _window, originalOperationId: _original, ...asked } = command;
  const referenceId = command.referenceId ?? generatedReferenceId(operationId);
  const data = { ...asked, operationId, referenceId, originalOperationId: original.id, amount };
  if (kind === 'Refund') {
    return {
      operationId,
      event: { type: 'RefundRequested', data: { ...data, executedAs: executedAs ?? 'Refund' } },
    };
  }
  return { operationId, event: { type: kind === 'Capture' ? 'CaptureRequested' : 'VoidRequested', data } };
}

export function firstAttempt(
  { at, commandId }: { readonly at: string; readonly commandId: string },
  operationId: OperationId,
  executedAs: ProcessorOperation,
  amount: Cents,
  plan: AttemptPlan,
): PaymentEvent {
  return { type: 'TryRequested', data: { at, operationId, commandId, try: 1, executedAs, amount, ...plan } };
}

/** The next of the numbers that clients may use. */
export function nextOperationNumber(payment: Payment): number {
  return payment.operations.filter((operation) => operation.kind !== 'Reversal').length;
}

/** The next of the service's own numbers; undefined where they are used up. */
export function nextServiceOperationId(payment: Payment): OperationId | undefined {
  const number =
    FIRST_SERVICE_OPERATION + payment.operations.filter(({ kind }) => kind === 'Reversal').length;
  return number < MAX_OPERATIONS ? operationIdWithNumber(payment, number) : undefined;
}

/** Same root as the operation that opened the payment: any of its ids tells the stream. */
function operationIdWithNumber(payment: Payment, number: number): OperationId {
  const address = parseOperationId(payment.operations[0]?.id ?? '');
  if (!address) throw new RangeError('the payment was opened under an id that is not ours');
  return formatOperationId({ ...address, number });
}

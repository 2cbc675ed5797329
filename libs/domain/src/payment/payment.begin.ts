import { samePlace, type TryPlan } from '../attempt/index.js';
import { ResponseCode } from '../shared/codes.js';
import { accepted } from '../shared/decision.js';
import {
  FIRST_OWN_OPERATION,
  MAX_OPERATIONS,
  generatedReferenceId,
  operationId as formatOperationId,
  parseOperationId,
  type OperationId,
} from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type { FollowUp, PaymentDecision } from './payment.commands.js';
import type { PaymentEvent, ProcessorOperation } from './payment.events.js';
import { ImpossibleHistory } from './payment.impossible.js';
import { serviceAnswer } from './payment.service-answer.js';
import { accountOfTry, executedTry, type Operation, type Payment } from './payment.state.js';

/* How an accepted request begins: its number in the stream, its event, its first try. */

export interface Asked {
  readonly payment: Payment;
  readonly command: FollowUp;
  readonly original: Operation;
  readonly kind: 'Capture' | 'Refund' | 'Void';
  readonly amount: Cents;
  readonly executedAs?: 'Void' | 'Refund';
}

/** The attempt goes to the processor and account that executed the original: no other knows of it. */
export function begin(asked: Asked, executedAs: ProcessorOperation): PaymentDecision {
  const { operationId, event } = requested(asked);
  const { command, amount, original } = asked;
  const account = accountOfTry(original, executedTry(original));
  if (!account) throw new ImpossibleHistory(`operation ${original.id} is approved and was never sent`);
  const plan = samePlace(account, command.sendWindow);
  return accepted([event, firstTry(command, operationId, executedAs, amount, plan)], operationId);
}

/**
 * Nobody has to be asked: 21 for what was voided, 10 for an authorization that expired
 * (`docs/spec/transactions.md#endings`).
 */
export function answerByService(asked: Asked, responseCode: 10 | 21): PaymentDecision {
  const { operationId, event } = requested(asked);
  const hostText = responseCode === ResponseCode.AlreadyVoided ? 'already voided' : 'authorization expired';
  const { at, commandId } = asked.command;
  const outcome = serviceAnswer(asked.payment, { at, commandId, operationId, responseCode, hostText });
  return accepted([event, { type: 'Declined', data: { ...outcome, resultCode: 0 } }], operationId);
}

function requested({ payment, command, original, kind, amount, executedAs }: Asked): {
  readonly operationId: OperationId;
  readonly event: PaymentEvent;
} {
  const operationId = numbered(payment, nextOperationNumber(payment));
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

export function firstTry(
  { at, commandId }: { readonly at: string; readonly commandId: string },
  operationId: OperationId,
  executedAs: ProcessorOperation,
  amount: Cents,
  plan: TryPlan,
): PaymentEvent {
  return { type: 'TryRequested', data: { at, operationId, commandId, try: 1, executedAs, amount, ...plan } };
}

/** The next of the numbers that clients may use. */
export function nextOperationNumber(payment: Payment): number {
  return payment.operations.filter((operation) => operation.kind !== 'Reversal').length;
}

/** The next of the service's own numbers; undefined where they are used up. */
export function nextOwnOperationId(payment: Payment): OperationId | undefined {
  const number = FIRST_OWN_OPERATION + payment.operations.filter(({ kind }) => kind === 'Reversal').length;
  return number < MAX_OPERATIONS ? numbered(payment, number) : undefined;
}

/** Same root as the operation that opened the payment: any of its ids tells the stream. */
function numbered(payment: Payment, number: number): OperationId {
  const address = parseOperationId(payment.operations[0]?.id ?? '');
  if (!address) throw new RangeError('the payment was opened under an id that is not ours');
  return formatOperationId({ ...address, number });
}

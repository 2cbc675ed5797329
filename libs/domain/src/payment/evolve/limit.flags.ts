import type { OperationId } from '../../shared/ids.js';
import { ImpossibleHistory } from '../../shared/impossible-history.js';
import { captureBalance, openAmount } from '../payment.balance.js';
import {
  didNotHappen,
  findOperation,
  isPending,
  movedAmount,
  type Operation,
  type Payment,
  type PaymentFlag,
  type PaymentState,
} from '../payment.state.js';

/* Limits of money as history is folded: what was asked for may not break them, what happened may, and is flagged. */

/**
 * The second assertion of docs/spec/payments.md#limits, where money is about to move; the first is in
 * payment.decide.ts. An answer that the service gives by itself (already voided, expired) has no try and may ask for
 * more than there is. A late approval's reversal undoes what never counted.
 */
export function assertWithinLimits(payment: Payment, operationId: OperationId): Payment {
  const operation = findOperation(payment, operationId);
  const original = operation?.originalId && findOperation(payment, operation.originalId);
  if (original && operation.reversalCause !== 'LateApproval' && openAmount(payment, original) < 0) {
    throw new ImpossibleHistory(`operation ${operationId} asks for more than is open`);
  }
  return payment;
}

/** The limits that facts from outside broke between two states; late approvals and failed reversals are none of them. */
export function newlyBrokenLimits(before: PaymentState, after: PaymentState): readonly PaymentFlag['kind'][] {
  const flagsOf = (state: PaymentState): readonly PaymentFlag[] =>
    state.status === 'None' ? [] : state.flags;
  const known = new Set(flagsOf(before).map(({ kind, operationId }) => `${kind} ${operationId}`));
  return flagsOf(after)
    .filter(({ kind, operationId }) => !known.has(`${kind} ${operationId}`) && LIMITS.has(kind))
    .map(({ kind }) => kind);
}

const LIMITS: ReadonlySet<PaymentFlag['kind']> = new Set([
  'OverAuthorized',
  'OverCaptured',
  'OverRefunded',
  'ChargedBackAbovePaid',
  'ReturnedAfterRefund',
]);

/** An operation without an outcome has no limit yet: a bank's return may be told before its approval. */
export function withLimitFlags(payment: Payment, operationId: OperationId): Payment {
  const operation = findOperation(payment, operationId);
  const original = operation?.originalId && findOperation(payment, operation.originalId);
  let next = payment;
  for (const one of [operation, original]) {
    if (!one || isPending(one)) continue;
    const limited = one.kind === 'Auth' || one.kind === 'Sale' || one.kind === 'Capture';
    if (limited && openAmount(payment, one) < 0) {
      next = withFlag(next, one.kind === 'Auth' ? 'OverCaptured' : 'OverRefunded', one.id);
    }
    if (isChargedBackAbovePaid(payment, one)) next = withFlag(next, 'ChargedBackAbovePaid', one.id);
    if (movedAmount(one) > one.amount) next = withFlag(next, 'OverAuthorized', one.id);
    if (one.kind === 'Reversal' && !didNotHappen(one) && movedAmount(one) < one.amount) {
      next = withFlag(next, 'ReversalFailed', one.id);
    }
  }
  return next;
}

/** The cardholder has more of it than was paid, by disputes beside what was given back or returned. */
function isChargedBackAbovePaid(payment: Payment, operation: Operation): boolean {
  const { kind, chargebacks = [] } = operation;
  if (chargebacks.length === 0 || (kind !== 'Sale' && kind !== 'Capture')) return false;
  const { captured, refunded, voided, returned } = captureBalance(payment, operation);
  const disputed = chargebacks.reduce((sum, { amount }) => sum + amount, 0);
  return disputed > captured - refunded - voided - returned;
}

export function withFlag(payment: Payment, kind: PaymentFlag['kind'], operationId: OperationId): Payment {
  const known = payment.flags.some((flag) => flag.kind === kind && flag.operationId === operationId);
  return known ? payment : { ...payment, flags: [...payment.flags, { kind, operationId }] };
}

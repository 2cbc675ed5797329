import type { Cents } from '../shared/money.js';
import { isPending, movedAmount, type Operation, type Payment } from './payment.state.js';

/**
 * The parts of an authorization's amount: captured + released + held ≤ authorized, always
 * (`docs/spec/payments.md#limits`).
 */
export interface AuthorizationBalance {
  readonly authorized: Cents;
  readonly captured: Cents;
  /** Voided, or reversed after it expired. */
  readonly released: Cents;
  /** By operations without an outcome. */
  readonly held: Cents;
  /** Can still be captured or voided. Negative if facts from outside broke the limit. */
  readonly open: Cents;
}

export function authorizationBalance(payment: Payment, authorization: Operation): AuthorizationBalance {
  let captured = 0;
  let released = 0;
  let held = 0;
  for (const operation of operationsOn(payment, authorization)) {
    if (isPending(operation)) held += operation.amount;
    if (operation.kind === 'Capture') captured += movedAmount(operation);
    else released += movedAmount(operation);
  }
  const authorized = movedAmount(authorization);
  return { authorized, captured, released, held, open: authorized - captured - released - held };
}

/**
 * The parts of a sale's or capture's amount: refunded + voided + returned + held ≤ captured
 * (`docs/spec/payments.md#limits` and `docs/spec/bank-payments.md#returns`).
 */
export interface CaptureBalance {
  readonly captured: Cents;
  readonly refunded: Cents;
  readonly voided: Cents;
  /** Taken back by the bank. */
  readonly returned: Cents;
  readonly held: Cents;
  readonly open: Cents;
}

export function captureBalance(payment: Payment, capture: Operation): CaptureBalance {
  let refunded = 0;
  let voided = 0;
  let held = 0;
  for (const operation of operationsOn(payment, capture)) {
    if (isPending(operation)) held += operation.amount;
    if (operation.kind === 'Void' || operation.executedAs === 'Void') voided += movedAmount(operation);
    else refunded += movedAmount(operation);
  }
  const captured = movedAmount(capture);
  const returned = capture.returns.reduce((sum, { amount }) => sum + amount, 0);
  return { captured, refunded, voided, returned, held, open: captured - refunded - voided - returned - held };
}

/** The amount that can still be captured from an authorization, or refunded from a sale or capture. */
export function openAmount(payment: Payment, original: Operation): Cents {
  const balance =
    original.kind === 'Auth' ? authorizationBalance(payment, original) : captureBalance(payment, original);
  return balance.open;
}

/** Operations on `original`, without the reversals of late executions: neither the approval nor its reversal counts. */
export function operationsOn(payment: Payment, original: Operation): Operation[] {
  return payment.operations.filter(
    (operation) => operation.originalId === original.id && operation.reversalCause !== 'LateApproval',
  );
}

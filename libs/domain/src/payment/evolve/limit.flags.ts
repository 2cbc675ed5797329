import { ImpossibleHistory } from '../../shared/aggregate.js';
import type { OperationId } from '../../shared/ids.js';
import { captureBalance, openAmount } from '../payment.balance.js';
import {
  wasNotExecuted,
  findOperation,
  isCaptured,
  isPending,
  movedAmount,
  type Operation,
  type Payment,
  type PaymentFlag,
  type PaymentState,
} from '../payment.state.js';

/* Limits of money while history is folded. A request may not break them. A fact from outside may, and raises a flag. */

/**
 * The second assertion of docs/spec/payments.md#limits, at the first attempt of an operation; the first is in
 * decide/request.rules.ts. A request that the service declines without an attempt may exceed the open amount. The reversal of
 * a late execution is exempt, since the approval does not count.
 *
 * @throws ImpossibleHistory
 */
export function assertWithinLimits(payment: Payment, operationId: OperationId): Payment {
  const operation = findOperation(payment, operationId);
  const original = operation?.originalId && findOperation(payment, operation.originalId);
  if (original && operation.reversalCause !== 'LateApproval' && openAmount(payment, original) < 0) {
    throw new ImpossibleHistory(`operation ${operationId} asks for more than is open`);
  }
  return payment;
}

/** The limits that facts from outside broke between two states, without late executions and failed reversals. */
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

/** Skips operations without an outcome: a bank may report a return before the approval. */
export function withLimitFlags(payment: Payment, operationId: OperationId): Payment {
  const operation = findOperation(payment, operationId);
  const original = operation?.originalId && findOperation(payment, operation.originalId);
  let next = payment;
  for (const checked of [operation, original]) {
    if (!checked || isPending(checked)) continue;
    for (const kind of brokenLimits(payment, checked)) next = withFlag(next, kind, checked.id);
  }
  return next;
}

function brokenLimits(payment: Payment, operation: Operation): PaymentFlag['kind'][] {
  const { kind, amount } = operation;
  const moved = movedAmount(operation);
  const broken: PaymentFlag['kind'][] = [];
  if ((kind === 'Auth' || isCaptured(kind)) && openAmount(payment, operation) < 0) {
    broken.push(kind === 'Auth' ? 'OverCaptured' : 'OverRefunded');
  }
  if (isChargedBackAbovePaid(payment, operation)) broken.push('ChargedBackAbovePaid');
  if (moved > amount) broken.push('OverAuthorized');
  if (kind === 'Reversal' && !wasNotExecuted(operation) && moved < amount) broken.push('ReversalFailed');
  return broken;
}

/** Disputes, refunds and returns together exceed the paid amount. */
function isChargedBackAbovePaid(payment: Payment, operation: Operation): boolean {
  const { kind, chargebacks = [] } = operation;
  if (chargebacks.length === 0 || !isCaptured(kind)) return false;
  const { captured, refunded, voided, returned } = captureBalance(payment, operation);
  const disputed = chargebacks.reduce((sum, { amount }) => sum + amount, 0);
  return disputed > captured - refunded - voided - returned;
}

export function withFlag(payment: Payment, kind: PaymentFlag['kind'], operationId: OperationId): Payment {
  const known = payment.flags.some((flag) => flag.kind === kind && flag.operationId === operationId);
  return known ? payment : { ...payment, flags: [...payment.flags, { kind, operationId }] };
}

import { movedAmount, type OperationKind, type PaymentEvent } from '@tillstream/domain';
import type { Movement, MovementKind } from '@tillstream/sandbox';
import type { Evidence } from './audit.js';
import { operationsOf } from './operations.check.js';
import type { PaymentHistory } from './histories.js';

interface Expected {
  readonly key: string;
  readonly kind: MovementKind;
  readonly amount: number;
}

/**
 * Compares the acquirer's movements with those that follow from the events: the same keys, kinds and amounts on both
 * sides. Does not use the domain's sums.
 */
export function movementErrors(evidence: Evidence): string[] {
  const complaints: string[] = [];
  const expected = new Map<string, Expected>();
  for (const one of evidence.histories.flatMap(expectedOf)) {
    if (expected.has(one.key)) complaints.push(`${one.key}: history has money moved twice under one key`);
    expected.set(one.key, one);
  }
  const seen = new Set<string>();
  for (const { key, kind, amount } of evidence.movements) {
    if (seen.has(key)) complaints.push(`${key}: the ledger has money moved twice under one key`);
    seen.add(key);
    const one = expected.get(key);
    if (!one) complaints.push(`${key}: the ledger has ${kind} ${amount}, history has no such movement`);
    else if (one.kind !== kind || one.amount !== amount)
      complaints.push(`${key}: the ledger has ${kind} ${amount}, history ${one.kind} ${one.amount}`);
  }
  for (const { key, kind, amount } of expected.values()) {
    if (!seen.has(key)) complaints.push(`${key}: history has ${kind} ${amount}, the ledger nothing`);
  }
  return [...complaints, ...overdrafts(evidence.movements), ...unreversedLateApprovals(evidence)];
}

function expectedOf({ events }: PaymentHistory): Expected[] {
  const kinds = new Map<string, OperationKind>();
  const expected: Expected[] = [];
  for (const event of events) {
    const kind = requestedKind(event);
    if (kind) kinds.set(event.data.operationId, kind);
    const moved = movementOf(event, kinds);
    if (moved) expected.push(moved);
  }
  return expected;
}

function requestedKind({ type }: PaymentEvent): OperationKind | undefined {
  switch (type) {
    case 'SaleRequested':
      return 'Sale';
    case 'AuthorizationRequested':
      return 'Auth';
    case 'UnreferencedRefundRequested':
      return 'UnreferencedRefund';
    case 'CaptureRequested':
      return 'Capture';
    case 'RefundRequested':
      return 'Refund';
    case 'VoidRequested':
      return 'Void';
    case 'ReversalRequested':
      return 'Reversal';
    default:
      return undefined;
  }
}

/** Attempt 0 is the service's own answer: no request was sent. */
function movementOf(event: PaymentEvent, kinds: ReadonlyMap<string, OperationKind>): Expected | undefined {
  const own = kinds.get(event.data.operationId);
  const moved = (kind: MovementKind): Expected | undefined => {
    if (!('amount' in event.data) || !('try' in event.data) || event.data.try === 0) return undefined;
    return { key: `${event.data.operationId}.${event.data.try}`, kind, amount: event.data.amount };
  };
  const original =
    'originalOperationId' in event.data ? kinds.get(event.data.originalOperationId ?? '') : undefined;
  switch (event.type) {
    case 'Authorized':
      return own === 'Sale' ? undefined : moved('Authorized');
    case 'Captured':
      return moved('Captured');
    case 'Refunded':
      return moved(own === 'UnreferencedRefund' ? 'Credited' : 'Refunded');
    case 'Voided':
      return moved(takenBack(original));
    case 'Reversed':
      return moved(takenBack(original));
    case 'LateApprovalFound':
      return moved(lateKind(own));
    default:
      return undefined;
  }
}

function takenBack(original: OperationKind | undefined): MovementKind {
  if (original === 'Auth') return 'Released';
  return original === 'UnreferencedRefund' ? 'CreditReversed' : 'Voided';
}

function lateKind(own: OperationKind | undefined): MovementKind {
  if (own === 'Auth') return 'Authorized';
  if (own === 'UnreferencedRefund') return 'Credited';
  return own === 'Refund' ? 'Refunded' : own === 'Void' ? 'Voided' : 'Captured';
}

/** The acquirer never takes more out of a movement than it had. */
function overdrafts(movements: readonly Movement[]): string[] {
  const left = new Map(movements.map(({ key, amount }) => [key, amount]));
  const complaints: string[] = [];
  for (const { key, originalKey, amount } of movements) {
    if (originalKey === undefined) continue;
    const rest = (left.get(originalKey) ?? 0) - amount;
    left.set(originalKey, rest);
    if (rest < 0) complaints.push(`${key}: ${-rest} more than there was in ${originalKey}`);
  }
  return complaints;
}

/** An approval found late, after a response that no money moved, must be reversed completely. */
function unreversedLateApprovals(evidence: Evidence): string[] {
  const complaints: string[] = [];
  for (const { payment, operation } of operationsOf(evidence)) {
    if (!['Sale', 'Auth', 'Capture', 'UnreferencedRefund'].includes(operation.kind)) continue;
    for (const late of operation.lateApprovals) {
      const undone = payment.operations
        .filter(({ originalId, originalTry, reversalCause }) => {
          return originalId === operation.id && originalTry === late.try && reversalCause === 'LateApproval';
        })
        .reduce((sum, reversal) => sum + movedAmount(reversal), 0);
      if (undone !== late.amount)
        complaints.push(`${operation.id}.${late.try}: ${late.amount} came late, ${undone} went back`);
    }
  }
  return complaints;
}

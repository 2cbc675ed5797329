import { movedAmount, type OperationKind, type PaymentEvent } from '@tillstream/domain';
import type { Movement, MovementKind } from '@tillstream/sandbox';
import type { Evidence } from './deployment.audit.js';
import { operationsOf } from './operations.check.js';
import type { PaymentHistory } from './histories.js';

type Expected = Pick<Movement, 'key' | 'kind' | 'amount'>;

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
    const kind = REQUESTED[event.type];
    if (kind) kinds.set(event.data.operationId, kind);
    const moved = movementOf(event, kinds);
    if (moved) expected.push(moved);
  }
  return expected;
}

const REQUESTED: Partial<Record<PaymentEvent['type'], OperationKind>> = {
  SaleRequested: 'Sale',
  AuthorizationRequested: 'Auth',
  UnreferencedRefundRequested: 'UnreferencedRefund',
  CaptureRequested: 'Capture',
  RefundRequested: 'Refund',
  VoidRequested: 'Void',
  ReversalRequested: 'Reversal',
};

/** Attempt 0 is the service's own answer: no request was sent. A bank's return has the bank's own id. */
function movementOf(event: PaymentEvent, kinds: ReadonlyMap<string, OperationKind>): Expected | undefined {
  if (event.type === 'BankReturned') {
    const { returnId: key, amount } = event.data;
    return { key, kind: 'Returned', amount };
  }
  const kind = movedKind(event, kinds);
  const { data } = event;
  if (!kind || !('amount' in data) || !('try' in data) || data.try === 0) return undefined;
  return { key: `${data.operationId}.${data.try}`, kind, amount: data.amount };
}

function movedKind(
  { type, data }: PaymentEvent,
  kinds: ReadonlyMap<string, OperationKind>,
): MovementKind | undefined {
  const own = kinds.get(data.operationId);
  switch (type) {
    case 'Authorized':
      return own === 'Sale' ? undefined : 'Authorized';
    case 'Captured':
      return 'Captured';
    case 'Refunded':
      return own === 'UnreferencedRefund' ? 'Credited' : 'Refunded';
    case 'Voided':
    case 'Reversed':
      return takenBack(kinds.get(data.originalOperationId ?? ''));
    case 'LateApprovalFound':
      return lateKind(own);
    default:
      return undefined;
  }
}

function takenBack(original: OperationKind | undefined): MovementKind {
  if (original === 'Auth') return 'Released';
  return original === 'UnreferencedRefund' ? 'CreditReversed' : 'Voided';
}

function lateKind(own: OperationKind | undefined): MovementKind {
  switch (own) {
    case 'Auth':
      return 'Authorized';
    case 'UnreferencedRefund':
      return 'Credited';
    case 'Refund':
      return 'Refunded';
    case 'Void':
      return 'Voided';
    default:
      return 'Captured';
  }
}

/** The acquirer never takes more out of a movement than it had. A bank returns a whole payment, refunded or not. */
function overdrafts(movements: readonly Movement[]): string[] {
  const left = new Map(movements.map(({ key, amount }) => [key, amount]));
  const complaints: string[] = [];
  for (const { key, kind, originalKey, amount } of movements) {
    if (originalKey === undefined || kind === 'Returned') continue;
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
        .filter(
          ({ originalId, originalTry, reversalCause: cause }) =>
            originalId === operation.id && originalTry === late.try && cause === 'LateApproval',
        )
        .reduce((sum, reversal) => sum + movedAmount(reversal), 0);
      if (undone !== late.amount)
        complaints.push(`${operation.id}.${late.try}: ${late.amount} came late, ${undone} went back`);
    }
  }
  return complaints;
}

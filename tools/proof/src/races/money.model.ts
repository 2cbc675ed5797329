import type { PaymentEvent } from '@tillstream/domain';
import type { FollowUpKind } from '../support/client.request.js';

/** The result of a follow-up; a refusal is its code. */
export type ExpectedResult = 'begins' | 'already voided' | 2011 | 2012 | 3401;

interface OriginalAmounts {
  readonly isAuth: boolean;
  readonly approved: number;
  /** Captured, released, refunded or voided. */
  readonly used: number;
  /** The part of `used` that was voided. */
  readonly voided: number;
  /** Amounts of follow-ups without an outcome. */
  readonly held: number;
}

/**
 * A second, minimal implementation of the money rules: the result that a request must have after these events. It
 * covers cards in an open batch, where each refund is executed as a void.
 */
export function expectedResult(
  events: readonly PaymentEvent[],
  kind: FollowUpKind,
  original: string,
  amount: number | undefined,
): ExpectedResult {
  const { isAuth, approved, used, voided, held } = amountsOf(events, original);
  const open = approved - used - held;
  if (isAuth ? kind === 'Refund' : kind === 'Capture') return 2011;
  if (amount === undefined ? held > 0 : amount > open && amount <= open + held) return 3401;
  if (voided >= approved) return 'already voided';
  if (isAuth && kind === 'Void') {
    if (open + held <= 0) return 2011;
    return (amount ?? open) > open ? 2012 : 'begins';
  }
  if (amount === undefined) return used > 0 ? 2012 : 'begins';
  return amount > open ? 2012 : 'begins';
}

function amountsOf(events: readonly PaymentEvent[], original: string): OriginalAmounts {
  const ofOriginal = events.filter(({ data }) => data.operationId === original);
  const isAuth = ofOriginal.some(({ type }) => type === 'AuthorizationRequested');
  let approved = 0;
  for (const { type, data } of ofOriginal)
    if (type === 'Authorized' || type === 'Captured') approved = data.amount;
  return { isAuth, approved, ...followUpAmounts(events, original) };
}

function followUpAmounts(
  events: readonly PaymentEvent[],
  original: string,
): Pick<OriginalAmounts, 'used' | 'voided' | 'held'> {
  const ids = new Set<string>();
  const held = new Map<string, number>();
  let used = 0;
  let voided = 0;
  for (const { type, data } of events) {
    const id = data.operationId;
    if ('originalOperationId' in data && data.originalOperationId === original && id !== original)
      ids.add(id);
    if (!ids.has(id)) continue;
    if (type === 'TryRequested') held.set(id, data.amount);
    if (OUTCOME_EVENTS.has(type)) held.delete(id);
    if (type === 'Captured' || type === 'Voided' || type === 'Refunded') used += data.amount;
    if (type === 'Voided') voided += data.amount;
  }
  return { used, voided, held: [...held.values()].reduce((sum, one) => sum + one, 0) };
}

const OUTCOME_EVENTS: ReadonlySet<PaymentEvent['type']> = new Set([
  'Captured',
  'Refunded',
  'Voided',
  'Declined',
  'Cancelled',
  'NotExecuted',
  'NotSent',
]);

import type { PaymentEvent } from '@tillstream/domain';
import type { AskedKind } from './asked.js';

/** What can come of a request; the refusals by their code. */
export type Verdict = 'begins' | 'already voided' | 2011 | 2012 | 3401;

/** What became of one original's amount. */
interface Standing {
  readonly isAuth: boolean;
  readonly approved: number;
  /** Captured, released, refunded, voided: used up for good. */
  readonly used: number;
  /** Of that, by voids. */
  readonly voided: number;
  /** Of operations on it that have no outcome. */
  readonly held: number;
}

/**
 * The rules of money once more, in as few words as possible and apart from the service's own: what these events allow
 * a request to come to. Cards in an open batch only, where each refund is executed as a void.
 */
export function verdict(
  events: readonly PaymentEvent[],
  kind: Exclude<AskedKind, 'Sale' | 'Auth'>,
  original: string,
  amount: number | undefined,
): Verdict {
  const { isAuth, approved, used, voided, held } = standing(events, original);
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

function standing(events: readonly PaymentEvent[], original: string): Standing {
  const onIt = new Set<string>();
  const held = new Map<string, number>();
  let isAuth = false;
  let approved = 0;
  let used = 0;
  let voided = 0;
  for (const { type, data } of events) {
    const id = data.operationId;
    if (type === 'AuthorizationRequested' && id === original) isAuth = true;
    if ('originalOperationId' in data && data.originalOperationId === original && id !== original)
      onIt.add(id);
    if (id === original && (type === 'Authorized' || type === 'Captured')) approved = data.amount;
    if (!onIt.has(id)) continue;
    if (type === 'TryRequested') held.set(id, data.amount);
    if (ENDS.has(type)) held.delete(id);
    if (type === 'Captured' || type === 'Voided' || type === 'Refunded') used += data.amount;
    if (type === 'Voided') voided += data.amount;
  }
  return { isAuth, approved, used, voided, held: [...held.values()].reduce((sum, one) => sum + one, 0) };
}

const ENDS: ReadonlySet<PaymentEvent['type']> = new Set([
  'Captured',
  'Refunded',
  'Voided',
  'Declined',
  'Cancelled',
  'NotExecuted',
  'NotSent',
]);

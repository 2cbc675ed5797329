import { eventCodec } from '../shared/codec.js';
import type { Currency } from '../shared/codes.js';
import { accepted, rejected, type Decision } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type { Event } from '../payment/payment.events.js';

/**
 * What a merchant may give back in a day without an original (`docs/spec/payments.md#unreferenced-refund`). The amount
 * is reserved before the refund is requested and released only when the refund durably did not happen: at worst too
 * little is allowed.
 */
export type RefundLimitEvent =
  Event<'RefundLimitReserved', RefundLimitChange> | Event<'RefundLimitReleased', RefundLimitChange>;

export interface RefundLimitChange {
  readonly at: string;
  readonly operationId: OperationId;
  readonly amount: Cents;
  /** Reserved in all after this event. */
  readonly total: Cents;
}

export interface RefundLimitState {
  readonly total: Cents;
  readonly reserved: ReadonlyMap<OperationId, Cents>;
}

export const noReservedRefunds: RefundLimitState = { total: 0, reserved: new Map() };

export const refundLimitCodec = eventCodec<RefundLimitEvent>({
  types: { RefundLimitReserved: [], RefundLimitReleased: [] },
});

export const refundLimitStream = (merchantId: string, currency: Currency, day: string): string =>
  `refundlimit-${merchantId}.${currency}.${day}`;

export function foldRefundLimit(events: Iterable<RefundLimitEvent>): RefundLimitState {
  const reserved = new Map<OperationId, Cents>();
  let total = 0;
  for (const { type, data } of events) {
    total = data.total;
    if (type === 'RefundLimitReserved') reserved.set(data.operationId, data.amount);
    else reserved.delete(data.operationId);
  }
  return { total, reserved };
}

export interface RefundLimitRejection {
  readonly code: 'DailyLimitReached';
  readonly message: string;
  readonly details: string;
}

export function reserveRefund(
  state: RefundLimitState,
  { limit, ...move }: Omit<RefundLimitChange, 'total'> & { readonly limit: Cents | undefined },
): Decision<RefundLimitEvent, RefundLimitRejection> {
  if (state.reserved.has(move.operationId)) return accepted([], undefined);
  const total = state.total + move.amount;
  if (limit !== undefined && total > limit) {
    return rejected({
      code: 'DailyLimitReached',
      message: 'The daily limit of refunds without an original is reached.',
      details: `received ${move.amount}, left today ${Math.max(limit - state.total, 0)}`,
    });
  }
  return accepted([{ type: 'RefundLimitReserved', data: { ...move, total } }], undefined);
}

/** Gives back what was reserved, once; the amount that the caller remembers does not matter. */
export function releaseRefund(
  state: RefundLimitState,
  { at, operationId }: Omit<RefundLimitChange, 'total'>,
): Decision<RefundLimitEvent, RefundLimitRejection> {
  const amount = state.reserved.get(operationId);
  if (amount === undefined) return accepted([], undefined);
  const total = state.total - amount;
  return accepted([{ type: 'RefundLimitReleased', data: { at, operationId, amount, total } }], undefined);
}

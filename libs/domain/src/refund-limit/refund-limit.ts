import { accepted, eventCodec, rejected, type Decision, type Event } from '../shared/aggregate.js';
import type { Currency } from '../shared/codes.js';
import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';

/*
 * The limit of a merchant's unreferenced refunds in a day (`docs/spec/payments.md#unreferenced-refund`). The use case
 * reserves the amount before it requests the refund, and releases it only after it is durable that the refund moved no money. After
 * a crash the limit is too strict, never too loose.
 */

/** `day` as `2026-11-22`, in the merchant's time zone. */
export const refundLimitStream = (merchantId: string, currency: Currency, day: string): string =>
  `refundlimit-${merchantId}.${currency}.${day}`;

/** Storage: these shapes never change. */
export type RefundLimitEvent =
  Event<'RefundLimitReserved', RefundLimitChange> | Event<'RefundLimitReleased', RefundLimitChange>;

export interface RefundLimitChange {
  readonly at: string;
  readonly operationId: OperationId;
  readonly amount: Cents;
  /** The total that is reserved after this event. */
  readonly total: Cents;
}

/** Frozen examples of each version are in `fixtures/`. */
export const refundLimitCodec = eventCodec<RefundLimitEvent>({
  types: { RefundLimitReserved: [], RefundLimitReleased: [] },
});

export interface RefundLimitState {
  readonly total: Cents;
  readonly reserved: ReadonlyMap<OperationId, Cents>;
}

export const noReservedRefunds: RefundLimitState = { total: 0, reserved: new Map() };

export interface RefundLimitRejection {
  readonly code: 'DailyLimitReached';
  readonly message: string;
  readonly details: string;
}

export function reserveRefund(
  state: RefundLimitState,
  { limit, ...refund }: Omit<RefundLimitChange, 'total'> & { readonly limit: Cents | undefined },
): Decision<RefundLimitEvent, RefundLimitRejection> {
  if (state.reserved.has(refund.operationId)) return accepted([], undefined);
  const total = state.total + refund.amount;
  if (limit !== undefined && total > limit) {
    return rejected({
      code: 'DailyLimitReached',
      message: 'The daily limit of refunds without an original is reached.',
      details: `received ${refund.amount}, left today ${Math.max(limit - state.total, 0)}`,
    });
  }
  return accepted([{ type: 'RefundLimitReserved', data: { ...refund, total } }], undefined);
}

/** Releases the amount that was reserved, once. The amount in the command is ignored. */
export function releaseRefund(
  state: RefundLimitState,
  { at, operationId }: Omit<RefundLimitChange, 'total'>,
): Decision<RefundLimitEvent, RefundLimitRejection> {
  const amount = state.reserved.get(operationId);
  if (amount === undefined) return accepted([], undefined);
  const total = state.total - amount;
  return accepted([{ type: 'RefundLimitReleased', data: { at, operationId, amount, total } }], undefined);
}

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

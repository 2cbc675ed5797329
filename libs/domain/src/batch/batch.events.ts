import type { Event } from '../payment/payment.events.js';
import type { Currency } from '../shared/codes.js';
import type { Cents } from '../shared/money.js';

/*
 * Stream `batch-<the 26 characters of its id>`: one batch of a merchant and currency, from its opening to its totals.
 * Which items it took is said in the streams of their payments. Storage, as all of payment.events.ts.
 */
export type BatchEvent =
  | Event<'BatchOpened', BatchOpened>
  | Event<'BatchClosing', BatchClosing>
  | Event<'BatchStayedOpen', BatchStayedOpen>
  | Event<'BatchClosed', BatchClosed>;

export interface BatchOpened {
  readonly at: string;
  readonly batchId: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** From 1, without gaps, for each merchant and currency. */
  readonly number: number;
  /** Where the batch before it was cut off; of the first: when the merchant was created. */
  readonly openedAt: string;
}

/** From here on it is settled what belongs to it: items whose money moved before `cutOffAt` and was written before this event. */
export interface BatchClosing {
  readonly at: string;
  /** From 1: a closing that found nothing to take leaves the batch open, and another follows. */
  readonly closing: number;
  /** The cut-off itself, however late it was noticed; on an operator's command the time of the command. */
  readonly cutOffAt: string;
  readonly cause: 'CutOff' | 'Operator';
}

/** An empty batch stays open (`docs/spec/operators.md#batches`). */
export interface BatchStayedOpen {
  readonly at: string;
  readonly closing: number;
}

export interface BatchClosed extends BatchTotals {
  readonly at: string;
  readonly closing: number;
  readonly cutOffAt: string;
}

/** The sums of its `Batched` events. Cards and bank payments are funded on different days. */
export interface BatchTotals {
  readonly transactionCount: number;
  /** Signed cents: all of the sums below. */
  readonly amount: Cents;
  readonly card: KindTotals;
  readonly bank: KindTotals;
}

export interface KindTotals {
  /** And captures. */
  readonly sales: ItemTotals;
  /** And refunds without an original. */
  readonly refunds: ItemTotals;
  /** By a bank. */
  readonly returns: ItemTotals;
}

export interface ItemTotals {
  readonly count: number;
  /** Signed cents: what was given back is negative. */
  readonly amount: Cents;
}

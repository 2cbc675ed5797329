import type { Event } from '../shared/event.shapes.js';
import type { Currency } from '../shared/codes.js';
import type { Cents } from '../shared/money.js';

/*
 * Storage: these shapes never change (docs/adr/0014). Stream `batch-<26 characters of its id>`: one batch of a merchant
 * and currency, from its opening to its totals. The items are recorded in the streams of their payments.
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
  /** The cut-off of the batch before; for the first batch, the creation of the merchant. */
  readonly openedAt: string;
}

/** Fixes what belongs to the batch: items whose money moved before `cutOffAt` and which were stored before this event. */
export interface BatchClosing {
  readonly at: string;
  /** From 1. A closing that finds no items leaves the batch open; the next closing has the next number. */
  readonly closing: number;
  /** The cut-off itself, even if the batch closer runs late; for an operator's command, the time of the command. */
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
  /** Signed cents: the total of the sums below. */
  readonly amount: Cents;
  readonly card: KindTotals;
  readonly bank: KindTotals;
}

export interface KindTotals {
  /** Sales and captures. */
  readonly sales: ItemTotals;
  /** Refunds, also unreferenced ones. */
  readonly refunds: ItemTotals;
  /** Returns by a bank. */
  readonly returns: ItemTotals;
}

export interface ItemTotals {
  readonly count: number;
  /** Signed cents: refunds and returns are negative. */
  readonly amount: Cents;
}

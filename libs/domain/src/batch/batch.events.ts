import { eventCodec, type Event } from '../shared/aggregate.js';
import type { Currency } from '../shared/codes.js';
import { isId, ulidOfHash } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type { Adjustment } from './adjustment.js';

/*
 * The events of one batch of a merchant and currency, from its opening to its settlements. Stream
 * `batch-<26 characters of its id>`. The items are recorded in the streams of their payments.
 */

export const BATCH_CATEGORY = 'batch';

/** The text whose hash gives the batch's id. So the number of a batch gives its stream without a lookup. */
export function batchHashInput(merchantId: string, currency: string, number: number): string {
  return `batch/${merchantId}/${currency}/${number}`;
}

/** @throws RangeError below 16 bytes */
export function formatBatchId(hash: Uint8Array): string {
  return `bat_${ulidOfHash(hash)}`;
}

/** Undefined if the text is not a `bat_` id. */
export function streamOfBatch(batchId: string): string | undefined {
  return isId('bat_', batchId) ? `${BATCH_CATEGORY}-${batchId.slice('bat_'.length)}` : undefined;
}

export function batchIdFromStream(stream: string): string {
  return `bat_${stream.slice(BATCH_CATEGORY.length + 1)}`;
}

/** Storage: these shapes never change (docs/adr/0014). */
export type BatchEvent =
  | Event<'BatchOpened', BatchOpened>
  | Event<'BatchAdjusted', Adjustment>
  | Event<'BatchClosing', BatchClosing>
  | Event<'BatchStayedOpen', BatchStayedOpen>
  | Event<'BatchClosed', BatchClosed>
  | Event<'BatchSettled', BatchSettled>;

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

/** A batch without items and adjustments stays open (`docs/spec/operators.md#batches`). */
export type BatchStayedOpen = Pick<BatchClosing, 'at' | 'closing'>;

export interface BatchClosed extends BatchTotals, Omit<BatchClosing, 'cause'> {}

/** Each of its settlements was created. The next batch is closed after that. */
export interface BatchSettled {
  readonly at: string;
  readonly settlements: readonly BatchSettlement[];
}

export interface BatchSettlement {
  readonly settlementId: string;
  readonly kind: 'Card' | 'Bank';
  readonly transactionCount: number;
  /** Signed cents that are paid out. */
  readonly amount: Cents;
}

/** The sums of its `Batched` events, without adjustments. Cards and bank payments are funded on different days. */
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
  /** Returns by a bank, and chargebacks. */
  readonly returns: ItemTotals;
}

export interface ItemTotals {
  readonly count: number;
  /** Signed cents: refunds and returns are negative. */
  readonly amount: Cents;
}

export const batchCodec = eventCodec<BatchEvent>({
  types: {
    BatchOpened: [],
    BatchAdjusted: [],
    BatchClosing: [],
    BatchStayedOpen: [],
    BatchClosed: [],
    BatchSettled: [],
  },
});

import type { Adjustment } from '../batch/index.js';
import { eventCodec, type Event } from '../shared/aggregate.js';
import type { Currency } from '../shared/codes.js';
import { isId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';

/*
 * The ends of a merchant's months in one currency, in stream `monthend-<26 characters of the merchant's id>.<currency>`. It has a
 * few events a year.
 */

export const MONTH_END_CATEGORY = 'monthend';

/** Undefined if the text is not a `mer_` id. */
export function monthEndStream(merchantId: string, currency: Currency): string | undefined {
  return isId('mer_', merchantId)
    ? `${MONTH_END_CATEGORY}-${merchantId.slice('mer_'.length)}.${currency}`
    : undefined;
}

/** Storage: these shapes never change (docs/adr/0014). */
export type MonthEndEvent =
  | Event<'MonthEnded', MonthEnded>
  | Event<'MonthAssigned', MonthAssigned>
  | Event<'MonthCharged', MonthCharged>;

/** Fixes what the month costs, before any batch has it. */
export interface MonthEnded {
  readonly at: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** `YYYY-MM` in the merchant's time zone. */
  readonly month: string;
  /** RFC 3339: the first instant of the next month in that zone. */
  readonly endedAt: string;
  /** The settled batches of the month: those after the ones of the months before, with a cut-off before `endedAt`. */
  readonly batches: BatchRange;
  /** Fees of payments that these batches left pending. */
  readonly pendingFees: Cents;
  /** Of the template in effect in the last millisecond of the month. */
  readonly templateId?: string;
  /** What the open batch takes. Without any, the month is over. */
  readonly adjustments: readonly Adjustment[];
}

/** Numbers of batches, both inclusive. `last` is `first` − 1 if there are none. */
export interface BatchRange {
  readonly first: number;
  readonly last: number;
}

/** The batch that shall take the adjustments. Another one follows if it was closed before it took them. */
export interface MonthAssigned {
  readonly at: string;
  readonly month: string;
  readonly batchId: string;
}

/** A settlement has the adjustments, and the pending fees of the month are charged with it. */
export interface MonthCharged {
  readonly at: string;
  readonly month: string;
  readonly settlementId: string;
}

export const monthEndCodec = eventCodec<MonthEndEvent>({
  types: { MonthEnded: [], MonthAssigned: [], MonthCharged: [] },
});

import type { Adjustment, BatchClosing, ItemTotals, KindTotals } from '../batch/index.js';
import { eventCodec, type Event } from '../shared/aggregate.js';
import type { AccountType, CardType, Channel, Currency, EntryMode } from '../shared/codes.js';
import { isId } from '../shared/ids.js';
import type { OperationId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import type { FeeType, PricingRule } from '../pricing-template/index.js';
import type { FeeLine } from './fees.js';
import type { ExpectedFunding, SettlementKind } from './funding-date.js';

/*
 * A settlement: what a closed batch pays out on one day, in stream `settlement-<26 characters of its id>`. Its items are in
 * pages, each a stream of its own, so that neither a stream nor an append grows with the batch.
 */

export const SETTLEMENT_CATEGORY = 'settlement';
export const SETTLEMENT_PAGE_CATEGORY = 'settlementpage';
/** About 30 kB: readers hold many pages at a time. */
export const SETTLEMENT_PAGE_ROWS_MAX = 50;

const PREFIX = 'stl_';
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The settlement of a batch's card or bank items. It follows from the batch's id, so that an operation's settlement needs
 * no event of its own: cards have the batch's 26 characters, bank payments the same with the last bit changed.
 */
export function settlementIdOf(batchId: string, kind: SettlementKind): string {
  const characters = batchId.slice('bat_'.length);
  if (kind === 'Card') return `${PREFIX}${characters}`;
  const last = ALPHABET.indexOf(characters.slice(-1));
  return `${PREFIX}${characters.slice(0, -1)}${ALPHABET[last ^ 1]}`;
}

/** Undefined if the text is not an `stl_` id. */
export function streamOfSettlement(settlementId: string): string | undefined {
  return isId(PREFIX, settlementId)
    ? `${SETTLEMENT_CATEGORY}-${settlementId.slice(PREFIX.length)}`
    : undefined;
}

export function settlementIdFromStream(stream: string): string {
  return `${PREFIX}${stream.slice(SETTLEMENT_CATEGORY.length + 1)}`;
}

/** `page` counts from 1. */
export function streamOfSettlementPage(settlementId: string, page: number): string {
  return `${SETTLEMENT_PAGE_CATEGORY}-${settlementId.slice(PREFIX.length)}.${page}`;
}

/** Storage: these shapes never change (docs/adr/0014). */
export type SettlementEvent =
  | Event<'SettlementStarted', SettlementStarted>
  | Event<'SettlementCreated', SettlementCreated>
  | Event<'SettlementFunded', SettlementFunded>;

/** Everything that the pages depend on besides the payments, so that each run makes the same pages. */
export interface SettlementStarted extends ExpectedFunding, Pick<BatchClosing, 'cutOffAt'> {
  /** The settlement's `createdAt` and its items' `settledAt`. */
  readonly at: string;
  readonly settlementId: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly kind: SettlementKind;
  readonly batchId: string;
  readonly batchNumber: number;
  readonly fundingType: FundingType;
  readonly timeZone: string;
  /** The template in effect at the cut-off. Absent: there are no fees. */
  readonly pricing?: SettlementPricing;
  /** What the batch closed with. The items have to add up to it. */
  readonly expected: KindTotals;
  /** Of the merchant, not of a payment. */
  readonly adjustments: readonly Adjustment[];
}

export type FundingType = 'Net' | 'Gross';

export interface SettlementPricing {
  readonly templateId: string;
  readonly version: number;
  readonly name: string;
  readonly rules: readonly PricingRule[];
  readonly monthlyFee: Cents;
  readonly returnFee: Cents;
  readonly chargebackFee: Cents;
  readonly validFrom: string;
}

/** All pages are stored and add up to what the batch closed with. */
export interface SettlementCreated extends SettlementTotals {
  readonly at: string;
  readonly pages: number;
  readonly sums: SettlementSums;
  /** They add up to `amount`. */
  readonly lines: readonly SettlementLine[];
}

export interface SettlementTotals {
  /** Signed cents that are paid out. */
  readonly amount: Cents;
  readonly grossAmount: Cents;
  readonly refundAmount: Cents;
  readonly feeAmount: Cents;
  /** Signed. */
  readonly adjustmentAmount: Cents;
  readonly transactionCount: number;
}

export interface SettlementLine {
  readonly type:
    | 'Sales'
    | 'Refunds'
    | 'Returns'
    | 'Chargebacks'
    | 'Fees'
    | 'ReturnFees'
    | 'ChargebackFees'
    | 'MonthlyFee'
    | 'MonthFees'
    | 'Adjustment';
  /** Of `Fees`. */
  readonly feeType?: FeeType;
  /** Of a monthly fee and of the fees of a month. */
  readonly month?: string;
  /** Of an adjustment. */
  readonly reason?: string;
  readonly count: number;
  /** Signed cents. */
  readonly amount: Cents;
}

export interface SettlementFunded {
  readonly at: string;
  /** `Clock`: in the sandbox, the expected date has come. */
  readonly cause: 'Operator' | 'Clock';
}

export const settlementCodec = eventCodec<SettlementEvent>({
  types: { SettlementStarted: [], SettlementCreated: [], SettlementFunded: [] },
});

/** Storage: these shapes never change. */
export type SettlementPageEvent =
  Event<'PageSettled', PageSettled> | Event<'PageFeesCharged', PageFeesCharged>;

export interface PageSettled {
  readonly at: string;
  readonly settlementId: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly batchId: string;
  readonly kind: SettlementKind;
  readonly fundingType: FundingType;
  readonly settledAt: string;
  /** From 1, without gaps. */
  readonly page: number;
  readonly items: readonly SettledItem[];
  /** Of this page and all pages before it. */
  readonly sums: SettlementSums;
  /** The next page begins after this row. */
  readonly lastRow: SettledRow;
  readonly isLast: boolean;
}

/** The rows of a batch: first the operations that it took, then those with returns or chargebacks that it took. */
export interface SettledRow {
  readonly part: 'Operations' | 'Returns';
  /** Ms since 1970, when the operation was requested. Rows are in the order of this time and of the id. */
  readonly createdAt: number;
  readonly operationId: OperationId;
}

export interface SettledItem {
  readonly operationId: OperationId;
  readonly type: SettledItemType;
  /** Of a return. */
  readonly returnId?: string;
  /** Of a chargeback. */
  readonly chargebackId?: string;
  /** Of a refund or capture. */
  readonly originalOperationId?: OperationId;
  /** Signed cents, as the batch took it. */
  readonly amount: Cents;
  readonly movedAt: string;
  readonly channel: Channel;
  readonly paymentMethodId: string;
  readonly cardType?: CardType;
  readonly accountType?: AccountType;
  readonly cardFunding?: 'Credit' | 'Debit';
  readonly entryMode?: EntryMode;
  readonly gatewayTransactionId?: string;
  readonly processor?: string;
  readonly processorAccount?: string;
  readonly fee?: ItemFee;
}

export type SettledItemType = 'Sale' | 'Capture' | 'Refund' | 'UnreferencedRefund' | 'Return' | 'Chargeback';

/** With `Net` it is charged with the settlement; with `Gross` at the end of the month. */
export interface ItemFee {
  /** `fee_…`. */
  readonly feeId: string;
  readonly source: 'Transaction' | 'Return' | 'Chargeback';
  /** The sum of the lines. */
  readonly amount: Cents;
  readonly lines: readonly FeeLine[];
}

/** Signed cents; fees are positive. */
export interface SettlementSums {
  readonly sales: ItemTotals;
  readonly refunds: ItemTotals;
  readonly returns: ItemTotals;
  readonly chargebacks: ItemTotals;
  /** Lines of the fees of sales and captures. */
  readonly interchange: ItemTotals;
  readonly scheme: ItemTotals;
  readonly markup: ItemTotals;
  readonly returnFees: ItemTotals;
  readonly chargebackFees: ItemTotals;
}

/** The page's fees were charged with a later settlement, at the end of the month. `settlementId`: that settlement. */
export interface PageFeesCharged {
  readonly at: string;
  readonly settlementId: string;
  readonly month: string;
}

export const settlementPageCodec = eventCodec<SettlementPageEvent>({
  types: { PageSettled: [], PageFeesCharged: [] },
});

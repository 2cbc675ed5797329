import type { ExpectedLine } from './expected.fees.js';

/* What the events say about batches and their settlements, as far as the check looks at it. */

export interface Totals {
  readonly count: number;
  readonly amount: number;
}

/** An item that a batch took. */
export interface TakenItem {
  readonly operationId: string;
  /** Of a return or chargeback. */
  readonly takenBackId: string | undefined;
  readonly type: string;
  readonly amount: number;
  readonly channel: string;
  readonly cardType: string | undefined;
}

export interface BatchRecord {
  readonly batchId: string;
  readonly merchantId: string;
  readonly currency: string;
  /** Real time, ms, of the start of its last closing. */
  closingAt: number;
  closed?: { readonly cutOffAt: string; readonly transactionCount: number };
  settled?: { readonly at: number; readonly settlements: readonly BatchSettlement[] };
  readonly items: TakenItem[];
  readonly adjustments: Adjustment[];
}

export interface BatchSettlement {
  readonly settlementId: string;
  readonly kind: string;
  readonly transactionCount: number;
  readonly amount: number;
}

export interface Adjustment {
  readonly adjustmentId: string;
  readonly kind: 'MonthlyFee' | 'MonthFees' | 'Manual';
  readonly amount: number;
  readonly month?: string;
  readonly feeId?: string;
}

/** A month of a merchant and currency that has ended. */
export interface MonthRecord {
  readonly ended: {
    readonly merchantId: string;
    readonly currency: string;
    readonly month: string;
    readonly endedAt: string;
    readonly adjustments: readonly Adjustment[];
  };
  charged: number;
}

export interface SettlementRecord {
  readonly started: Readonly<
    Record<'settlementId' | 'merchantId' | 'currency' | 'kind' | 'batchId' | 'fundingType', string>
  > & { readonly adjustments: readonly Adjustment[] };
  readonly created: SettlementCreated[];
  readonly pages: PageRecord[];
  funded: number;
}

export interface SettlementCreated {
  readonly pages: number;
  readonly amount: number;
  readonly grossAmount: number;
  readonly refundAmount: number;
  readonly feeAmount: number;
  readonly adjustmentAmount: number;
  readonly transactionCount: number;
  readonly sums: Readonly<Record<string, Totals>>;
  readonly lines: readonly {
    readonly type: string;
    readonly feeType?: string;
    readonly count: number;
    readonly amount: number;
  }[];
}

export interface PageRecord {
  readonly page: number;
  readonly isLast: boolean;
  readonly items: readonly PageItem[];
  /** Of its fees, with `Gross`. */
  charged?: { readonly settlementId: string; readonly month: string };
}

export interface PageItem {
  readonly operationId: string;
  readonly returnId?: string;
  readonly chargebackId?: string;
  readonly type: string;
  readonly amount: number;
  readonly fee?: {
    readonly feeId: string;
    readonly source: string;
    readonly amount: number;
    readonly lines: readonly ExpectedLine[];
  };
}

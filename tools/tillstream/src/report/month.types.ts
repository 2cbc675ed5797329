import type { FeeBreakdownLine, SettlementLine, SettlementSummary } from '@tillstream/contracts';

/* A merchant's month in one currency. Amounts are signed cents; fees are positive. */

export interface MonthRequest {
  /** `YYYY-MM` in `timeZone`. */
  readonly month: string;
  readonly currency: 'USD' | 'CAD';
  readonly timeZone: string;
  /** RFC 3339. Left out: as it is now. */
  readonly asOf?: string;
}

export interface Sum {
  readonly count: number;
  readonly amount: number;
}

export type FeeType = FeeBreakdownLine['type'];
export const FEE_TYPES: readonly FeeType[] = ['Interchange', 'Scheme', 'Markup'];

/** The rows of a settlement, summed up. */
export interface RowSums {
  readonly sales: Sum;
  readonly refunds: Sum;
  readonly returns: Sum;
  readonly chargebacks: Sum;
}

/** The fee charges of a settlement's rows, summed up. */
export interface FeeSums {
  readonly byType: Readonly<Record<FeeType, Sum>>;
  readonly returns: Sum;
  readonly chargebacks: Sum;
  /** Of months. */
  readonly monthly: Sum;
  /** Not charged yet. */
  readonly pending: Sum;
  /** Charges whose amount is not the sum of their lines. */
  readonly unequal: number;
}

/** Fees of sales and captures with cards of one type; a payment without a card is a bank payment. */
export interface CardFees {
  readonly cardType: string;
  readonly count: number;
  readonly byType: Readonly<Record<FeeType, number>>;
  readonly amount: number;
}

export interface SettledMonthPart {
  readonly summary: SettlementSummary;
  readonly lines: readonly SettlementLine[];
  /** `YYYY-MM-DD`, the day on which it was created in the merchant's time zone. */
  readonly day: string;
  readonly rows: RowSums;
  readonly fees: FeeSums;
  /** Charges that name a settlement with `Gross` funding: all fees of a month, and its monthly fee. */
  readonly chargedHere?: { readonly month: Sum; readonly monthly: Sum };
}

export interface MonthReading {
  readonly settlements: readonly SettledMonthPart[];
  readonly cards: readonly CardFees[];
}

import type { FundingType } from './operator.shapes.js';
import type { CurrencyCode } from './payment-method.shapes.js';

/* Settlements, settled transactions and fee charges (`docs/spec/settlement.md`). Amounts are cents, times are UTC. */

export const SETTLEMENT_STATUSES = ['Pending', 'Funded'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

export interface SettlementSummary {
  id: string;
  merchantId: string;
  currency: CurrencyCode;
  status: SettlementStatus;
  fundingType: FundingType;
  /** What is paid out; it can be negative. */
  amount: number;
  /** Deprecated, equal to `amount`. */
  netAmount: number;
  grossAmount: number;
  refundAmount: number;
  feeAmount: number;
  /** Signed. */
  adjustmentAmount: number;
  transactionCount: number;
  batchIds: string[];
  createdAt: string;
  /** `YYYY-MM-DD` in the merchant's time zone. */
  expectedFundingDate: string;
  fundedAt?: string;
}

/** The single read. */
export interface Settlement extends SettlementSummary {
  /** They add up to `amount`. */
  lines: SettlementLine[];
}

export interface SettlementLine {
  type: SettlementLineType;
  description: string;
  /** Signed. */
  amount: number;
  count: number;
}

export type SettlementLineType =
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

export const SETTLED_TRANSACTION_TYPES = [
  'Sale',
  'Capture',
  'Refund',
  'UnreferencedRefund',
  'Return',
  'Chargeback',
] as const;
export type SettledTransactionType = (typeof SETTLED_TRANSACTION_TYPES)[number];

export interface SettledTransaction {
  settlement: { id: string; fundedAt?: string };
  /** Of a return or chargeback: the transaction that was taken back. */
  transactionId: string;
  transactionType: SettledTransactionType;
  gatewayTransactionId?: string;
  batchId: string;
  currency: CurrencyCode;
  cardType?: string;
  /** What is left after voids; negative for refunds, returns and chargebacks. */
  settledAmount: number;
  settledAt: string;
}

export const FEE_CHARGE_SOURCES = ['Transaction', 'Monthly', 'Return', 'Chargeback'] as const;
export type FeeChargeSource = (typeof FEE_CHARGE_SOURCES)[number];

export const FEE_CHARGE_STATUSES = ['Pending', 'Charged'] as const;
export type FeeChargeStatus = (typeof FEE_CHARGE_STATUSES)[number];

export interface FeeCharge {
  id: string;
  source: FeeChargeSource;
  status: FeeChargeStatus;
  amount: number;
  currency: CurrencyCode;
  /** The settlement that charges it; null until it is charged, with `Gross` funding. */
  settlementId: string | null;
  /** What it is charged for; a monthly fee has none. */
  settledTransaction?: { transactionId: string; amount: number };
  /** They add up to `amount`. */
  feeBreakdown: FeeBreakdownLine[];
  chargedAt?: string;
}

/** The response to the record of a chargeback, for operators. */
export interface Chargeback {
  id: string;
  transactionId: string;
  merchantId: string;
  currency: CurrencyCode;
  amount: number;
  reason: string;
  reference?: string;
  createdAt: string;
}

/** The response to the record of an adjustment, for operators. */
export interface Adjustment {
  id: string;
  merchantId: string;
  currency: CurrencyCode;
  /** The batch whose settlement has it. */
  batchId: string;
  /** Signed cents. */
  amount: number;
  reason: string;
  reference?: string;
  createdAt: string;
}

export interface FeeBreakdownLine {
  type: 'Interchange' | 'Scheme' | 'Markup';
  rateBps: number;
  fixedAmount: number;
  amount: number;
}

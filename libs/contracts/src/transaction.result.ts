import type { CurrencyCode, PaymentMethodDetails } from './payment-method.shapes.js';

export type TransactionType =
  | 'Sale'
  | 'Auth'
  | 'Capture'
  | 'Refund'
  | 'Void'
  | 'UnreferencedRefund'
  | 'TokenCreate'
  | 'TokenUpdate'
  | 'TokenRemove';

export type TransactionStatus =
  'Pending' | 'Processing' | 'Completed' | 'Interrupted' | 'Cancelled' | 'Expired';

/** Integers in the smallest unit of the currency; parts that were not given are left out of a request's. */
export interface AmountBreakdownShape {
  amountGoodsAndServices?: number;
  tax?: number;
  cashback?: number;
  tip?: number;
}

/** The answer of every transaction operation and of every look at one (`docs/spec/transactions.md#result`). */
export interface TransactionResult {
  id: string;
  referenceId: string;
  type: TransactionType;
  status: TransactionStatus;
  resultCode: number;
  resultText: string;
  /** What the operation asked for, or implied. */
  amount?: number;
  currency: CurrencyCode;
  amountBreakdown?: AmountBreakdownShape;
  originalTransactionId?: string;
  /** On refunds: in the current batch they are executed as voids. */
  executedAs?: 'Void' | 'Refund';
  invoiceNumber?: string;
  orderNumber?: string;
  /** Newest first; `[0]` is the outcome. */
  transactionResponses: TransactionResponse[];
  paymentMethod: PaymentMethodDetails;
  threeDs?: ThreeDsAuthentication;
  threeDsChallenge?: { redirectUrl: string };
  accountHolderId?: string;
  gatewayTransactionId?: string;
  batchId?: string;
  settlementId?: string;
  createdAt: string;
  updatedAt: string;
}

/** `docs/spec/transactions.md#responses`. */
export interface TransactionResponse {
  responseCode: number;
  amountApproved: number;
  approvedAmountBreakdown?: Required<AmountBreakdownShape>;
  authCode?: string;
  hostResponseText?: string;
  paymentMethod: PaymentMethodDetails;
  cardType?: string;
  accountType?: string;
  avsResult?: string;
  cvvResult?: string;
  receipt: { lines: string[] };
}

/** `docs/spec/hosted-form.md#3-d-secure-result`. */
export interface ThreeDsAuthentication {
  status: string;
  cavv?: string;
  eci?: string;
  xid?: string;
  dsTransId?: string;
  threeDReasonId?: string;
  threeDReason?: string;
}

import type { FormLink } from './hosted-form.shapes.js';
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

/** Integers in the smallest unit of the currency. A request's breakdown has only the parts that the client sent. */
export interface AmountBreakdownShape {
  amountGoodsAndServices?: number;
  tax?: number;
  cashback?: number;
  tip?: number;
}

/** The response of every transaction operation and query (`docs/spec/transactions.md#result`). */
export interface TransactionResult {
  id: string;
  referenceId: string;
  type: TransactionType;
  status: TransactionStatus;
  resultCode: number;
  resultText: string;
  /** The requested amount, or the whole amount if the request named none. */
  amount?: number;
  currency: CurrencyCode;
  amountBreakdown?: AmountBreakdownShape;
  originalTransactionId?: string;
  /** Of a refund. In the current batch a refund is executed as a void. */
  executedAs?: 'Void' | 'Refund';
  invoiceNumber?: string;
  orderNumber?: string;
  /** Newest first; `[0]` is the outcome. */
  transactionResponses: TransactionResponse[];
  paymentMethod: PaymentMethodDetails;
  threeDs?: ThreeDsAuthentication;
  threeDsChallenge?: { redirectUrl: string };
  /** Of a virtual operation while it is pending. */
  form?: FormLink;
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

/** `docs/spec/three-d-secure.md#result`. */
export interface ThreeDsAuthentication {
  status: string;
  cavv?: string;
  eci?: string;
  xid?: string;
  dsTransId?: string;
  threeDReasonId?: string;
  threeDReason?: string;
}

export type ActorType = 'ApiKey' | 'Customer' | 'Operator' | 'System';

/**
 * One recorded event of the payment or stored card that a transaction belongs to (`docs/spec/transactions.md#history`).
 */
export interface HistoryItem {
  /** From 0, without gaps. */
  sequence: number;
  type: string;
  timestamp: string;
  actor: { type: ActorType; name: string };
  reason?: string;
  traceId?: string;
  data: Record<string, unknown>;
}

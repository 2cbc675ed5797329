import type { CurrencyCode } from './payment-method.shapes.js';

export const BATCH_STATUSES = ['Open', 'Closing', 'Closed'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/**
 * The captured and refunded operations of a merchant in one currency, from one cut-off to the next
 * (`docs/spec/operators.md#batches`).
 */
export interface Batch {
  id: string;
  merchantId: string;
  currency: CurrencyCode;
  status: BatchStatus;
  /** Of a batch that is not closed: the items that it would take now. */
  transactionCount: number;
  /** Signed cents. */
  amount: number;
  openedAt: string;
  /** The cut-off, even if the batch closer ran later. */
  closedAt?: string;
}

export interface BatchClosing {
  data: Batch[];
}

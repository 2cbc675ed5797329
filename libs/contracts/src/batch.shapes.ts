export const BATCH_STATUSES = ['Open', 'Closing', 'Closed'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/**
 * What a merchant took and gave back in one currency, from one cut-off to the next (`docs/spec/operators.md#batches`).
 */
export interface Batch {
  id: string;
  merchantId: string;
  currency: 'USD' | 'CAD';
  status: BatchStatus;
  /** Of a batch that is not closed: what waits for it now. */
  transactionCount: number;
  /** Signed cents. */
  amount: number;
  openedAt: string;
  /** Its cut-off, however late the work was done. */
  closedAt?: string;
}

export interface BatchClosing {
  data: Batch[];
}

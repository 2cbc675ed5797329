import type { TransactionType } from '@tillstream/contracts';
import type { Channel } from '@tillstream/domain';
import type { Position } from '@tillstream/event-store';

/* What whoever closes batches sees of this library. */

/** What a batch that is being closed goes by. Every answer says which generation of rows it comes from. */
export interface BatchQueries {
  /** Every merchant and currency with something that no batch took. As many as wait, so at most a few for each merchant. */
  merchantsWithUnbatched(): Promise<readonly MerchantWithUnbatched[]>;
  /** When the oldest item of a merchant moved that moved at or after an instant, ms; undefined where there is none. */
  oldestUnbatchedSince(merchantId: string, currency: string, since: number): Promise<number | undefined>;
  /**
   * Payments with something that no batch took and that moved before an instant, the oldest first. Undefined while rows
   * may be missing of what was written before the position `asOf`.
   */
  unbatched(request: UnbatchedRequest): Promise<UnbatchedPage | undefined>;
  /** Sums of what a batch took so far. Undefined as above. */
  batchSums(batchId: string, asOf: Position): Promise<BatchSums | undefined>;
  /** Sum of what waits for a merchant's batch. */
  sumOfUnbatched(
    request: Pick<UnbatchedRequest, 'merchantId' | 'currency' | 'before'>,
  ): Promise<{ readonly count: number; readonly amount: number }>;
  /** Batches that somebody began to close, the oldest first. */
  closingBatchIds(limit: number): Promise<readonly string[]>;
}

export interface MerchantWithUnbatched {
  readonly merchantId: string;
  readonly currency: string;
  /** Ms since 1970, service time: when the oldest of them moved. */
  readonly oldest: number;
}

export interface UnbatchedRequest {
  readonly merchantId: string;
  readonly currency: string;
  /** Ms since 1970, exclusive. */
  readonly before: number;
  readonly asOf: Position;
  /** The last of the page before. */
  readonly after?: Pick<UnbatchedItem, 'operationId' | 'at'>;
  readonly limit: number;
}

export interface UnbatchedItem {
  readonly operationId: string;
  /** Ms since 1970, service time. */
  readonly at: number;
  /** Of the row. */
  readonly revision: number;
}

export interface UnbatchedPage {
  readonly generation: number;
  readonly items: readonly UnbatchedItem[];
}

export interface BatchSums {
  readonly generation: number;
  readonly sums: readonly BatchSum[];
}

export interface BatchSum {
  readonly channel: Channel;
  readonly type: TransactionType | 'BankReturn';
  readonly count: number;
  /** Signed cents. */
  readonly amount: number;
}

/** The name of the lease of whoever projects. */
export const PROJECTOR_LEASE = 'projector';

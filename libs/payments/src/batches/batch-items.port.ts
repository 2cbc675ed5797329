import type { Channel } from '@tillstream/domain';
import type { Position } from '@tillstream/event-store';

/**
 * What batches go by: rows of every payment, written by whoever appends and projected behind. They say where to look;
 * whether a batch takes an item is decided in the payment's own stream. Every answer names the generation of rows that it
 * comes from: what two answers of one generation say goes together.
 */
export interface BatchItems {
  /** Every merchant and currency with something that no batch took. */
  merchantsWithUnbatched(): Promise<readonly MerchantWithUnbatched[]>;
  /** When the oldest item of a merchant moved that moved at or after an instant, ms; undefined where there is none. */
  oldestUnbatchedSince(merchantId: string, currency: string, since: number): Promise<number | undefined>;
  /**
   * Operations with something that no batch took and that moved before an instant, the oldest first. Undefined while rows
   * may be missing of what was written before the position `asOf`.
   */
  unbatched(request: UnbatchedRequest): Promise<UnbatchedPage | undefined>;
  /** Sums of what a batch took so far. Undefined as above. */
  batchSums(batchId: string, asOf: Position): Promise<BatchSums | undefined>;
  /** Of what waits for a merchant's batch. */
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
  readonly after?: Pick<UnbatchedRow, 'operationId' | 'at'>;
  readonly limit: number;
}

export interface UnbatchedRow {
  readonly operationId: string;
  /** Ms since 1970, service time. */
  readonly at: number;
  /** Of the last event of its stream that the row knows of, among those that touch it. */
  readonly revision: number;
}

export interface UnbatchedPage {
  readonly generation: number;
  readonly items: readonly UnbatchedRow[];
}

export interface BatchSums {
  readonly generation: number;
  readonly sums: readonly BatchSum[];
}

export interface BatchSum {
  readonly channel: Channel;
  readonly type: string | 'BankReturn';
  readonly count: number;
  /** Signed cents. */
  readonly amount: number;
}

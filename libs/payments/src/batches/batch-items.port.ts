import type { Channel } from '@tillstream/domain';
import type { Position } from '@tillstream/event-store';

/**
 * The rows of payments that the closing of batches reads. They only say which operations to look at: each payment's stream
 * decides whether a batch takes an item. Two results are consistent with each other if they have the same `generation`.
 */
export interface BatchItems {
  /** Every merchant and currency with an item that no batch took. */
  merchantsWithUnbatched(): Promise<readonly MerchantWithUnbatched[]>;
  /** Batches that took an adjustment and are open; `oldest`: when it was recorded. */
  adjustedBatches(): Promise<readonly MerchantWithUnbatched[]>;
  /** All merchants, in the order of their ids. */
  merchantZones(request: MerchantZonesRequest): Promise<readonly MerchantZone[]>;
  /** The time, in ms, of a merchant's oldest item since `since` (inclusive). Undefined if there is none. */
  oldestUnbatchedSince(merchantId: string, currency: string, since: number): Promise<number | undefined>;
  /**
   * Operations with an item that no batch took and that moved before an instant, the oldest first. Undefined while the rows
   * may lack an event before the position `asOf`.
   */
  unbatched(request: UnbatchedRequest): Promise<UnbatchedPage | undefined>;
  /** Sums of the items that a batch took so far. Undefined while the rows may lack an event before `asOf`. */
  batchSums(batchId: string, asOf: Position): Promise<BatchSums | undefined>;
  /** The sum of a merchant's items that no batch took. `amount`: signed cents. */
  sumOfUnbatched(
    request: Pick<UnbatchedRequest, 'merchantId' | 'currency' | 'before'>,
  ): Promise<{ readonly count: number; readonly amount: number }>;
  /**
   * Rows with an item that a batch took, in the order of `createdAt` and id, which never changes. Undefined while the rows
   * may lack an event before `asOf`.
   */
  batchRows(request: BatchRowsRequest): Promise<readonly BatchRow[] | undefined>;
  /** Settlements that are pending and due before an instant (ms since 1970), the oldest first. */
  settlementsDueBefore(instant: number, limit: number): Promise<readonly string[]>;
  /** Batches in the status `Closing`, and closed ones that wait for their settlements; the oldest first. */
  closingBatchIds(limit: number): Promise<readonly string[]>;
}

export interface MerchantWithUnbatched {
  readonly merchantId: string;
  readonly currency: string;
  /** Ms since 1970, service's clock: the time of the oldest item. */
  readonly oldest: number;
}

export interface MerchantZonesRequest {
  /** The last merchant of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

export interface MerchantZone {
  readonly merchantId: string;
  /** IANA. */
  readonly timeZone: string;
}

export interface UnbatchedRequest {
  readonly merchantId: string;
  readonly currency: string;
  /** Ms since 1970, exclusive. */
  readonly before: number;
  readonly asOf: Position;
  /** The last row of the previous page. */
  readonly after?: Pick<UnbatchedRow, 'operationId' | 'at'>;
  readonly limit: number;
}

export interface UnbatchedRow {
  readonly operationId: string;
  /** Ms since 1970, service's clock. */
  readonly at: number;
  /** The revision of the last event of its stream that changed the row. */
  readonly revision: number;
}

export interface UnbatchedPage {
  readonly generation: number;
  readonly items: readonly UnbatchedRow[];
}

export interface BatchRowsRequest {
  readonly merchantId: string;
  readonly currency: string;
  readonly batchId: string;
  readonly asOf: Position;
  readonly channels: readonly Channel[];
  /** `Operations`: the batch took the operation itself. `Returns`: it was the last that took a return or chargeback of it. */
  readonly part: 'Operations' | 'Returns';
  /** The last row of the previous page. */
  readonly after?: BatchRow;
  readonly limit: number;
}

export interface BatchRow {
  readonly operationId: string;
  /** Ms since 1970, when the operation was requested. */
  readonly createdAt: number;
}

export interface BatchSums {
  readonly generation: number;
  readonly sums: readonly BatchSum[];
}

export interface BatchSum {
  readonly channel: Channel;
  /** The kind of the operation, or `BankReturn`. */
  readonly type: string;
  readonly count: number;
  /** Signed cents. */
  readonly amount: number;
}

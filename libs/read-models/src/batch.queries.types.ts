import type { TransactionType } from '@tillstream/contracts';
import type { Channel } from '@tillstream/domain';
import type { Position } from '@tillstream/event-store';

/** The queries of the batch closer. Each page of items says which generation its rows come from. */
export interface BatchQueries {
  /** Every merchant and currency with items that no batch has taken. Unbounded: a few for each merchant. */
  merchantsWithUnbatched(): Promise<readonly MerchantWithUnbatched[]>;
  /** Every merchant and currency whose open batch has an adjustment; `oldest`: of the first one. */
  adjustedBatches(): Promise<readonly MerchantWithUnbatched[]>;
  /** All merchants, in the order of their ids. */
  merchantZones(request: MerchantZonesRequest): Promise<readonly MerchantZone[]>;
  /** When the oldest unbatched item that moved at or after `examinedUntil` moved. Both are ms since 1970, service time. */
  oldestUnbatchedSince(merchantId: string, currency: string, since: number): Promise<number | undefined>;
  /** Operations with unbatched items, the oldest first. Undefined if rows of events before `asOf` may be missing. */
  unbatched(request: UnbatchedRequest): Promise<UnbatchedPage | undefined>;
  /** Sums of the items that a batch has taken. Undefined if rows of events before `asOf` may be missing. */
  batchSums(batchId: string, asOf: Position): Promise<BatchSums | undefined>;
  /** Count and sum (signed cents) of a merchant's unbatched items. */
  sumOfUnbatched(
    request: Pick<UnbatchedRequest, 'merchantId' | 'currency' | 'before'>,
  ): Promise<{ readonly count: number; readonly amount: number }>;
  /** Rows with an item that a batch took. Undefined if rows of events before `asOf` may be missing. */
  batchRows(request: BatchRowsRequest): Promise<readonly BatchRow[] | undefined>;
  /** Ids of pending settlements that are due before an instant (ms since 1970), the oldest first. */
  settlementsDueBefore(instant: number, limit: number): Promise<readonly string[]>;
  /** Ids of batches that are closing, or closed without their settlements, the oldest first. */
  closingBatchIds(limit: number): Promise<readonly string[]>;
}

export interface MerchantWithUnbatched {
  readonly merchantId: string;
  readonly currency: string;
  /** Ms since 1970, service time: when the oldest item moved. */
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
  /** Only items that moved before this instant: ms since 1970. */
  readonly before: number;
  readonly asOf: Position;
  /** The last item of the previous page. */
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

/** In the order of `createdAt` and id, which no event changes. */
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
  readonly type: TransactionType | 'BankReturn';
  readonly count: number;
  /** Signed cents. */
  readonly amount: number;
}

/** The name of the lease of the process that projects. */
export const PROJECTOR_LEASE = 'projector';

import type { Checkpoint, HandleResult } from '@tillstream/event-consumers';
import type {
  ClaimedBatch,
  ClaimRequest,
  ClaimResults,
  Clocks,
  DeliveryCursor,
  DeliveryFilter,
  DeliveryMeasures,
  DeliveryOrder,
  DeliveryStore,
  Finished,
  MerchantNumbers,
  NumberedPage,
  ReplayResult,
  ReplayStep,
  StoredDelivery,
  TestDelivery,
} from '@tillstream/webhook-delivery';
import { DeliveryFile, type DeliveryFileOptions, type Statements } from './delivery.file.js';
import { countDeliveries, listDeliveries } from './list.sql.js';
import { measure } from './measures.sql.js';
import { readCheckpoint, readNumbers, recordPage } from './numbered-page.sql.js';
import { purgeStep } from './purge.sql.js';
import { findDelivery, insertTest, replayDelivery, replayRange } from './records.sql.js';
import {
  claimBatches,
  dueEndpoints,
  finishAttempts,
  hasExpiredClaims,
  nextDueAt,
  releaseClaims,
  releaseExpired,
} from './claims.sql.js';

/** Opens the deliveries in a folder of their own, and creates it. Several processes may have it open. */
export function openSqliteDeliveryStore(options: DeliveryFileOptions): DeliveryStore {
  return new SqliteDeliveryStore(new DeliveryFile(options));
}

/** Calls block for one short transaction. */
class SqliteDeliveryStore implements DeliveryStore {
  constructor(private readonly file: DeliveryFile) {}

  async checkpoint(): Promise<Checkpoint | undefined> {
    return this.file.read(readCheckpoint);
  }

  async numbersOf(merchantIds: readonly string[]): Promise<MerchantNumbers[]> {
    return this.file.read((sql) => merchantIds.map((id) => readNumbers(sql, id)));
  }

  async record(page: NumberedPage): Promise<HandleResult> {
    return this.file.write((sql) => recordPage(sql, page));
  }

  async reset(): Promise<void> {
    this.file.replace();
  }

  async dueEndpoints(now: Clocks, limit: number, exclude: ReadonlySet<string>): Promise<string[]> {
    const due = (sql: Statements): string[] => dueEndpoints(sql, now.service, limit, exclude);
    const found = this.file.read((sql) => (hasExpiredClaims(sql, now.real) ? undefined : due(sql)));
    if (found) return found;
    this.file.write((sql) => releaseExpired(sql, now.real));
    return this.file.read(due);
  }

  async finishAndClaim(
    results: readonly ClaimResults[],
    requests: readonly ClaimRequest[],
  ): Promise<{ readonly finished: readonly Finished[]; readonly claimed: readonly ClaimedBatch[][] }> {
    return this.file.write((sql) => ({
      finished: results.map(({ token, results: ofClaim }) => finishAttempts(sql, token, ofClaim)),
      claimed: requests.map((request) => claimBatches(sql, request)),
    }));
  }

  async release(token: string, deliveryIds: readonly string[]): Promise<void> {
    this.file.write((sql) => releaseClaims(sql, token, deliveryIds));
  }

  async nextDueAt(): Promise<number | undefined> {
    return this.file.read(nextDueAt);
  }

  async list(
    filter: DeliveryFilter,
    after: DeliveryCursor | undefined,
    limit: number,
    order: DeliveryOrder = 'NewestFirst',
  ): Promise<StoredDelivery[]> {
    return this.file.read((sql) => listDeliveries(sql, filter, { after, limit, order }));
  }

  async count(filter: DeliveryFilter, max: number): Promise<number> {
    return this.file.read((sql) => countDeliveries(sql, filter, max));
  }

  async find(endpointId: string, deliveryId: string): Promise<StoredDelivery | undefined> {
    return this.file.read((sql) => findDelivery(sql, endpointId, deliveryId));
  }

  async replay(endpointId: string, deliveryId: string, now: number): Promise<ReplayResult> {
    return this.file.write((sql) => replayDelivery(sql, endpointId, deliveryId, now));
  }

  async replayStep(
    step: ReplayStep,
  ): Promise<{ readonly count: number; readonly next: DeliveryCursor | undefined }> {
    return this.file.write((sql) => replayRange(sql, step));
  }

  async addTest(delivery: TestDelivery): Promise<boolean> {
    return this.file.write((sql) => insertTest(sql, delivery));
  }

  async purge(bodiesBefore: number): Promise<number> {
    return this.file.write((sql) => purgeStep(sql, bodiesBefore));
  }

  async measure(now: number, countMax: number): Promise<DeliveryMeasures> {
    return this.file.read((sql) => measure(sql, now, countMax));
  }

  async close(): Promise<void> {
    this.file.close();
  }
}

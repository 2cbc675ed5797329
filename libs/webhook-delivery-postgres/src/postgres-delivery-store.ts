import type { Checkpoint, HandleResult } from '@tillstream/event-consumers';
import { asStore, repeatUntilKnown, type Postgres, type PostgresSession } from '@tillstream/postgres-driver';
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
import { claimAll, dueEndpoints, nextDueTime, releaseClaims, releaseExpired } from './claims.js';
import { countedRows, foundRow, listedRows, toDeliveries } from './lists.js';
import { measure } from './measures.js';
import { resetDeliveries, setDeliverySource, storedCheckpoint, storedNumbers } from './delivery.numbers.js';
import { recordPage } from './numbered.page.js';
import { purgeStep } from './purge.js';
import { insertTest, replayDelivery, replayRange } from './records.js';
import { finishAttempts } from './results.js';

/** A start is not lost because the database restarts at the same time. */
const OPEN_WITHIN_MS = 30_000;

export interface PostgresDeliveryOptions {
  readonly database: Postgres;
  /** The name of the event store: positions of another one mean nothing. */
  readonly source: string;
}

/**
 * Opens the deliveries in a database with the tables of `DELIVERY_MIGRATIONS`. If they follow from the events of another
 * store, they are made again from those of this one. Closing the database is the caller's task.
 */
export async function openPostgresDeliveryStore(options: PostgresDeliveryOptions): Promise<DeliveryStore> {
  await asStore(() =>
    repeatUntilKnown(() => setDeliverySource(options.database, options.source), OPEN_WITHIN_MS),
  );
  return new PostgresDeliveryStore(options);
}

/** The deliveries of a command, which changes no source. If the tables follow from another store, nothing is numbered. */
export function presentPostgresDeliveryStore(options: PostgresDeliveryOptions): DeliveryStore {
  return new PostgresDeliveryStore(options);
}

/**
 * Rejects with an `EventStoreError` while the database is away. What may be repeated is repeated while it is not known
 * whether it was committed; a page is not, because its consumer reads the checkpoint again.
 */
class PostgresDeliveryStore implements DeliveryStore {
  constructor(private readonly options: PostgresDeliveryOptions) {}

  checkpoint(): Promise<Checkpoint | undefined> {
    const { database, source } = this.options;
    return asStore(() => storedCheckpoint(database, source));
  }

  numbersOf(merchantIds: readonly string[]): Promise<MerchantNumbers[]> {
    return asStore(() => storedNumbers(this.options.database, merchantIds));
  }

  record(page: NumberedPage): Promise<HandleResult> {
    return this.#once((session) => recordPage(session, this.options.source, page));
  }

  reset(): Promise<void> {
    return this.#repeated((session) => resetDeliveries(session, this.options.source));
  }

  async dueEndpoints(now: Clocks, limit: number, exclude: ReadonlySet<string>): Promise<string[]> {
    const { database } = this.options;
    const due = await asStore(async () => {
      await releaseExpired(database, now.real);
      return database.all(dueEndpoints(now.service, limit + exclude.size));
    });
    return due
      .map(({ id }) => id)
      .filter((id) => !exclude.has(id))
      .slice(0, limit);
  }

  /** After a commit whose result was unknown, a repeat finds the results written, and may leave out changes of health. */
  finishAndClaim(
    results: readonly ClaimResults[],
    requests: readonly ClaimRequest[],
  ): Promise<{ readonly finished: readonly Finished[]; readonly claimed: readonly ClaimedBatch[][] }> {
    let runs = 0;
    return this.#repeated(async (session) => {
      const isRepeat = runs++ > 0;
      const finished = await finishAttempts(session, results);
      return { finished, claimed: await claimAll(session, requests, isRepeat) };
    });
  }

  release(token: string, deliveryIds: readonly string[]): Promise<void> {
    return this.#repeated((session) => releaseClaims(session, token, deliveryIds));
  }

  async nextDueAt(): Promise<number | undefined> {
    const [next] = await asStore(() => this.options.database.all(nextDueTime()));
    return next?.at ?? undefined;
  }

  async list(
    filter: DeliveryFilter,
    after: DeliveryCursor | undefined,
    limit: number,
    order: DeliveryOrder = 'NewestFirst',
  ): Promise<StoredDelivery[]> {
    const rows = listedRows(filter, { after, limit, order });
    return toDeliveries(await asStore(() => this.options.database.all(rows)));
  }

  async count(filter: DeliveryFilter, max: number): Promise<number> {
    const [counted] = await asStore(() => this.options.database.all(countedRows(filter, max)));
    return counted?.count ?? 0;
  }

  async find(endpointId: string, deliveryId: string): Promise<StoredDelivery | undefined> {
    const rows = await asStore(() => this.options.database.all(foundRow(endpointId, deliveryId)));
    return toDeliveries(rows)[0];
  }

  replay(endpointId: string, deliveryId: string, now: number): Promise<ReplayResult> {
    return this.#repeated((session) => replayDelivery(session, endpointId, deliveryId, now));
  }

  /** Not repeated: a second run would not count what the first one made due. */
  replayStep(
    step: ReplayStep,
  ): Promise<{ readonly count: number; readonly next: DeliveryCursor | undefined }> {
    return this.#once((session) => replayRange(session, step));
  }

  addTest(delivery: TestDelivery): Promise<boolean> {
    return this.#repeated((session) => insertTest(session, delivery));
  }

  purge(bodiesBefore: number): Promise<number> {
    return asStore(() => purgeStep(this.options.database, bodiesBefore));
  }

  measure(now: number, countMax: number): Promise<DeliveryMeasures> {
    return asStore(() => measure(this.options.database, now, countMax));
  }

  async close(): Promise<void> {
    // The database is shared.
  }

  #once<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return asStore(() => this.options.database.transaction(work));
  }

  #repeated<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return asStore(() => repeatUntilKnown(() => this.options.database.transaction(work)));
  }
}

import { join } from 'node:path';
import type { EventStore } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { ClockOffset, IdempotencyStore, OpenWorkStore } from '@tillstream/payments';
import { openSqliteIdempotency, openSqliteOpenWork } from '@tillstream/payments-sqlite';
import type { Config } from '../config.js';
import { chosenEventStore, type HealthyEventStore } from '../event-store.choice.js';
import { openClockOffset } from '../service.clock.js';
import { onceAvailable } from '../starting.patience.js';
import { openingFile } from './damaged.files.js';
import { refuseLostEventsFile } from './lost.events.js';
import { refuseLostFiles } from './lost.files.js';

/** The events of a data directory, and what lies in `events.db` beside them. */
export interface OpenedEvents {
  /** `events.db`. */
  readonly file: SqliteEventStore;
  /** The same, or EventStoreDB. */
  readonly store: HealthyEventStore;
  readonly openWork: OpenWorkStore;
  readonly idempotency: IdempotencyStore;
  readonly clockOffset: ClockOffset;
}

/**
 * Opens the events before anything else of the data directory, and looks whether any file beside them is lost. Each store
 * is handed to `opened` once it is open, also where the promise rejects. Rejects with a `ConfigError` where a file that
 * can't be made again is lost or damaged: nothing is made in its place.
 */
export async function openEvents(
  config: Config,
  report: (trouble: string) => void,
  opened: (store: EventStore) => void,
): Promise<OpenedEvents> {
  const { dataDir } = config;
  refuseLostEventsFile(config);
  const path = join(dataDir, 'events.db');
  return openingFile(path, async () => {
    const file = await openSqliteEventStore({ file: path });
    opened(file);
    // A change of stores clears that table, so it has to be there.
    const openWork = await openSqliteOpenWork(file);
    const store = await chosenEventStore(config, file, report);
    if (store !== file) opened(store);
    const idempotency = await openSqliteIdempotency(file, store);
    await onceAvailable(config, () => refuseLostFiles(config, store));
    return { file, store, openWork, idempotency, clockOffset: await openClockOffset(dataDir, file) };
  });
}

import { join } from 'node:path';
import { EventStoreError, type EventStore } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import {
  resetAfterRestore,
  setEventSource,
  hasWorkQueueCheckpoint,
  openSqliteWorkQueue,
  storedEventSource,
} from '@tillstream/payments-sqlite';
import type { Config } from '../configuration/config.js';
import { isEmpty, assertHistoryNotLost } from '../data-directory/lost-events.check.js';
import { assertIdempotencyKeysNotLost } from '../data-directory/lost-files.check.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { isUnavailable, retryWhileUnavailable, type StoreConfig } from './startup.retry.js';
import { EMBEDDED_STORE, type HealthyEventStore } from './store.address.js';

export const RESTORED =
  'events that this service had read are missing: an older copy of them was restored; the work queue is read from the first event';

/**
 * For events in the file itself. Rejects with a `ConfigError` if the file is empty and the data directory was used with
 * events, in the file or in another store: a start would lose every payment.
 */
export async function checkEmbeddedSource(dataDir: string, file: SqliteEventStore): Promise<void> {
  // Creates the work queue's table, which a change of stores clears.
  await openSqliteWorkQueue(file);
  const previous = await previousSource(file, EMBEDDED_STORE);
  await assertHistoryKept({ dataDir, file }, previous, EMBEDDED_STORE, file);
  await setEventSource(file, EMBEDDED_STORE);
}

interface ServerEvents {
  readonly file: SqliteEventStore;
  readonly store: HealthyEventStore;
  /** As `displayAddress`. */
  readonly name: string;
}

/**
 * For events on a server; idempotency keys and the work queue stay in the file. Rejects as `checkEmbeddedSource`, and with a
 * `ConfigError` if the server can't be reached.
 */
export async function checkServerSource(
  config: StoreConfig & Pick<Config, 'dataDir'>,
  { file, store, name }: ServerEvents,
  report: (trouble: string) => void,
): Promise<void> {
  const { dataDir } = config;
  await openSqliteWorkQueue(file);
  const previous = await previousSource(file, name);
  const isNew = (await storedEventSource(file)) === undefined && (await isEmpty(file));
  try {
    await retryWhileUnavailable(config, async () => {
      await assertReachable(store);
      await assertHistoryKept({ dataDir, file }, previous, name, store);
      if (isNew) await assertIdempotencyKeysNotLost(dataDir, name, store);
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new ConfigError(`EVENTSTOREDB_URL names ${name}, which can not be used: ${error.message}.`);
  }
  await setEventSource(file, name);
  if (await resetAfterRestore(file, store)) report(RESTORED);
}

/** The store that this data directory was used with; the configured one if it was not used yet. */
async function previousSource(file: SqliteEventStore, name: string): Promise<string> {
  const remembered = (await storedEventSource(file)) ?? EMBEDDED_STORE;
  return remembered === EMBEDDED_STORE && (await isEmpty(file)) ? name : remembered;
}

async function assertHistoryKept(
  { dataDir, file }: { readonly dataDir: string; readonly file: SqliteEventStore },
  previous: string,
  name: string,
  store: EventStore,
): Promise<void> {
  if (previous === name) {
    const events = join(dataDir, 'events.db');
    const displayName = store === file ? events : name;
    await assertHistoryNotLost(dataDir, displayName, store, () =>
      hasWorkQueueCheckpoint(file) ? events : undefined,
    );
    return;
  }
  if (!(await isEmpty(store))) return;
  throw new ConfigError(
    `DATA_DIR "${dataDir}" was used with events in ${previous}, and ${name} holds none: move them with npm run migrate-events, or set EVENT_STORE back, or use another DATA_DIR.`,
  );
}

/** Rejects with `Unavailable`, so that the start waits for a server that starts at the same time. */
export async function assertReachable(store: HealthyEventStore): Promise<void> {
  const { writable, reason } = await store.health();
  if (!writable) throw new EventStoreError('Unavailable', reason ?? 'no reason given');
}

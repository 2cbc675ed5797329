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

const RESTORED =
  'events that this service had read are gone: an older copy of them was restored; open work is read from the first event';

/**
 * The events go into the file itself. Rejects with a `ConfigError` where it is empty although this data directory was used
 * with events, in it or in another store: starting there would forget every payment.
 */
export async function checkEmbeddedSource(dataDir: string, file: SqliteEventStore): Promise<void> {
  // A change of stores clears that table, so it has to be there.
  await openSqliteWorkQueue(file);
  await assertHistoryKept(
    { dataDir, file },
    await previousSource(file, EMBEDDED_STORE),
    EMBEDDED_STORE,
    file,
  );
  await setEventSource(file, EMBEDDED_STORE);
}

interface ServerEvents {
  readonly file: SqliteEventStore;
  readonly store: HealthyEventStore;
  /** As `displayAddress`. */
  readonly name: string;
}

/**
 * The events are on a server; what lies beside them (idempotency keys, open work) stays in the file. Rejects as `checkEmbeddedSource`,
 * and with a `ConfigError` where the server can't be reached. What is wrong with the file itself is told as the file's.
 */
export async function checkServerSource(
  config: StoreConfig & Pick<Config, 'dataDir'>,
  { file, store, name }: ServerEvents,
  report: (trouble: string) => void,
): Promise<void> {
  const { dataDir } = config;
  await openSqliteWorkQueue(file);
  const before = await previousSource(file, name);
  const isNew = (await storedEventSource(file)) === undefined && (await isEmpty(file));
  await withServerErrors(config, name, async () => {
    await assertReachable(store);
    await assertHistoryKept({ dataDir, file }, before, name, store);
    if (isNew) await assertIdempotencyKeysNotLost(dataDir, name, store);
  });
  await setEventSource(file, name);
  if (await resetAfterRestore(file, store)) report(RESTORED);
}

interface UsedFiles {
  readonly dataDir: string;
  readonly file: SqliteEventStore;
}

/** The store that this data directory was used with: the one that is chosen now, where there is nothing to forget. */
async function previousSource(file: SqliteEventStore, name: string): Promise<string> {
  const remembered = (await storedEventSource(file)) ?? EMBEDDED_STORE;
  return remembered === EMBEDDED_STORE && (await isEmpty(file)) ? name : remembered;
}

async function assertHistoryKept(
  { dataDir, file }: UsedFiles,
  before: string,
  name: string,
  chosen: EventStore,
): Promise<void> {
  if (before === name) {
    const events = join(dataDir, 'events.db');
    const shown = chosen === file ? events : name;
    await assertHistoryNotLost(dataDir, shown, chosen, () =>
      hasWorkQueueCheckpoint(file) ? events : undefined,
    );
    return;
  }
  if (!(await isEmpty(chosen))) return;
  throw new ConfigError(
    `DATA_DIR "${dataDir}" was used with events in ${before}, and ${name} holds none: move them with npm run migrate-events, or set EVENT_STORE back, or use another DATA_DIR.`,
  );
}

/** Runs a step that asks the server alone: what is `Unavailable` in it is the setting's that names the server. */
async function withServerErrors(config: StoreConfig, name: string, step: () => Promise<void>): Promise<void> {
  try {
    await retryWhileUnavailable(config, step);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new ConfigError(`EVENTSTOREDB_URL names ${name}, which can not be used: ${error.message}.`);
  }
}

/** Rejects with `Unavailable`: a server that starts at the same time as the service is waited for. */
async function assertReachable(store: HealthyEventStore): Promise<void> {
  const { writable, reason } = await store.health();
  if (!writable) throw new EventStoreError('Unavailable', reason ?? 'no reason given');
}

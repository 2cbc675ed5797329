import { join } from 'node:path';
import { EventStoreError, type EventStore } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import {
  feedAnewAfterRestore,
  feedFrom,
  hasFedOpenWork,
  openSqliteOpenWork,
  rememberedEventSource,
} from '@tillstream/payments-sqlite';
import type { Config } from '../config.js';
import { isEmpty, refuseEmptyHistory } from '../data-directory/lost.events.js';
import { refuseLostKeys } from '../data-directory/lost.files.js';
import { ConfigError } from '../setting.kinds.js';
import { isUnavailable, onceAvailable, type StoreConfig } from './starting.patience.js';
import { EMBEDDED, type HealthyEventStore } from './store.address.js';

const RESTORED =
  'events that this service had read are gone: an older copy of them was restored; open work is read from the first event';

/**
 * The events go into the file itself. Rejects with a `ConfigError` where it is empty although this data directory was used
 * with events, in it or in another store: starting there would forget every payment.
 */
export async function useEmbedded(dataDir: string, file: SqliteEventStore): Promise<void> {
  // A change of stores clears that table, so it has to be there.
  await openSqliteOpenWork(file);
  await refuseToForget({ dataDir, file }, await eventsWereIn(file, EMBEDDED), EMBEDDED, file);
  await feedFrom(file, EMBEDDED);
}

interface ServerEvents {
  readonly file: SqliteEventStore;
  readonly store: HealthyEventStore;
  /** As `nameOfAddress`. */
  readonly name: string;
}

/**
 * The events are on a server; what lies beside them (idempotency keys, open work) stays in the file. Rejects as `useEmbedded`,
 * and with a `ConfigError` where the server can't be reached. What is wrong with the file itself is told as the file's.
 */
export async function useServer(
  config: StoreConfig & Pick<Config, 'dataDir'>,
  { file, store, name }: ServerEvents,
  report: (trouble: string) => void,
): Promise<void> {
  const { dataDir } = config;
  await openSqliteOpenWork(file);
  const before = await eventsWereIn(file, name);
  const isNew = (await rememberedEventSource(file)) === undefined && (await isEmpty(file));
  await usable(config, name, async () => {
    await reach(store);
    await refuseToForget({ dataDir, file }, before, name, store);
    if (isNew) await refuseLostKeys(dataDir, name, store);
  });
  await feedFrom(file, name);
  if (await feedAnewAfterRestore(file, store)) report(RESTORED);
}

interface UsedFiles {
  readonly dataDir: string;
  readonly file: SqliteEventStore;
}

/** The store that this data directory was used with: the one that is chosen now, where there is nothing to forget. */
async function eventsWereIn(file: SqliteEventStore, name: string): Promise<string> {
  const remembered = (await rememberedEventSource(file)) ?? EMBEDDED;
  return remembered === EMBEDDED && (await isEmpty(file)) ? name : remembered;
}

async function refuseToForget(
  { dataDir, file }: UsedFiles,
  before: string,
  name: string,
  chosen: EventStore,
): Promise<void> {
  if (before === name) {
    const events = join(dataDir, 'events.db');
    const shown = chosen === file ? events : name;
    await refuseEmptyHistory(dataDir, shown, chosen, () => (hasFedOpenWork(file) ? events : undefined));
    return;
  }
  if (!(await isEmpty(chosen))) return;
  throw new ConfigError(
    `DATA_DIR "${dataDir}" was used with events in ${before}, and ${name} holds none: move them with npm run migrate-events, or set EVENT_STORE back, or use another DATA_DIR.`,
  );
}

/** Runs a step that asks the server alone: what is `Unavailable` in it is the setting's that names the server. */
async function usable(config: StoreConfig, name: string, step: () => Promise<void>): Promise<void> {
  try {
    await onceAvailable(config, step);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new ConfigError(`EVENTSTOREDB_URL names ${name}, which can not be used: ${error.message}.`);
  }
}

/** Rejects with `Unavailable`: a server that starts at the same time as the service is waited for. */
async function reach(store: HealthyEventStore): Promise<void> {
  const { writable, reason } = await store.health();
  if (!writable) throw new EventStoreError('Unavailable', reason ?? 'no reason given');
}

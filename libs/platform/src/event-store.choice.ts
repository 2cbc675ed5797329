import { join } from 'node:path';
import { EventStoreError, type EventStore, type StoreHealth } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import {
  feedAnewAfterRestore,
  feedFrom,
  hasFedOpenWork,
  rememberedEventSource,
} from '@tillstream/payments-sqlite';
import type { Config } from './config.js';
import { isEmpty, refuseEmptyHistory } from './data-directory/lost.events.js';
import { refuseLostKeys } from './data-directory/lost.files.js';
import { ConfigError } from './setting.kinds.js';
import { isUnavailable, onceAvailable, type StoreConfig } from './starting.patience.js';
import { EMBEDDED, nameOfAddress } from './store.address.js';

export type HealthyEventStore = EventStore & { health(): Promise<StoreHealth> };

const RESTORED =
  'events that this service had read are gone: an older copy of them was restored; open work is read from the first event';

/** Told what an operator should know of the store, in one line. */
export type Report = (trouble: string) => void;

/**
 * The store of the events: the embedded file itself, or EventStoreDB. What lies beside the events (idempotency keys,
 * open work) stays in the file either way. Rejects with a `ConfigError` where the chosen store can't be reached, or where
 * it is empty although this data directory was used with another: starting there would forget every payment. What is wrong
 * with the file itself is told as the file's.
 */
export async function chosenEventStore(
  config: StoreConfig & Pick<Config, 'dataDir'>,
  file: SqliteEventStore,
  report: Report,
): Promise<HealthyEventStore> {
  const { url, deadline } = config.eventStoreDb;
  const used = { dataDir: config.dataDir, file };
  if (config.eventStore === 'sqlite' || url === undefined) {
    await refuseToForget(used, await eventsWereIn(file, EMBEDDED), EMBEDDED, file);
    await feedFrom(file, EMBEDDED);
    return file;
  }
  const name = nameOfAddress(url);
  const before = await eventsWereIn(file, name);
  const isNew = (await rememberedEventSource(file)) === undefined && (await isEmpty(file));
  // Its client takes longer to load than most of the service: only for who uses it.
  const { openEventStoreDb } = await import('@tillstream/event-store-eventstoredb');
  const store = openEventStoreDb({ url, deadlineMs: deadline, report });
  try {
    await usable(config, name, async () => {
      await reach(store);
      await refuseToForget(used, before, name, store);
      if (isNew) await refuseLostKeys(config.dataDir, name, store);
    });
    await feedFrom(file, name);
    if (await feedAnewAfterRestore(file, store)) report(RESTORED);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
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

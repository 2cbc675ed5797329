import { EventStoreError, type EventStore, type StoreHealth } from '@tillstream/event-store';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { feedFrom, rememberedEventSource } from '@tillstream/payments-sqlite';
import type { Config } from './config.js';
import { ConfigError } from './setting.kinds.js';
import { isUnavailable, onceAvailable } from './starting.patience.js';
import { EMBEDDED, nameOfAddress } from './store.address.js';

export type HealthyEventStore = EventStore & { health(): Promise<StoreHealth> };

/** Told what an operator should know of the store, in one line. */
export type Report = (trouble: string) => void;

/**
 * The store of the events: the embedded file itself, or EventStoreDB. What lies beside the events (idempotency keys,
 * open work) stays in the file either way. Rejects with a `ConfigError` where the chosen store can't be reached, or where
 * it is empty although this data directory was used with another: starting there would forget every payment.
 */
export async function chosenEventStore(
  config: Pick<Config, 'eventStore' | 'eventStoreDb' | 'dataDir'>,
  file: SqliteEventStore,
  report: Report,
): Promise<HealthyEventStore> {
  const { url, deadline } = config.eventStoreDb;
  if (config.eventStore === 'sqlite' || url === undefined) {
    await takeOver(config.dataDir, file, file, EMBEDDED);
    return file;
  }
  // Its client takes longer to load than most of the service: only for who uses it.
  const { openEventStoreDb } = await import('@tillstream/event-store-eventstoredb');
  const store = openEventStoreDb({ url, deadlineMs: deadline, report });
  try {
    await onceAvailable(config, async () => {
      await reach(store);
      await takeOver(config.dataDir, file, store, nameOfAddress(url));
    });
    return store;
  } catch (error) {
    await store.close();
    if (!isUnavailable(error)) throw error;
    throw new ConfigError(
      `EVENTSTOREDB_URL names ${nameOfAddress(url)}, which can not be used: ${error.message}.`,
    );
  }
}

async function takeOver(
  dataDir: string,
  file: SqliteEventStore,
  chosen: EventStore,
  name: string,
): Promise<void> {
  const remembered = (await rememberedEventSource(file)) ?? EMBEDDED;
  // An empty file has nothing to be forgotten.
  const before = remembered === EMBEDDED && (await isEmpty(file)) ? name : remembered;
  if (before !== name && (await isEmpty(chosen))) {
    throw new ConfigError(
      `DATA_DIR "${dataDir}" was used with events in ${before}, and ${name} holds none: move them with npm run migrate-events, or set EVENT_STORE back, or use another DATA_DIR.`,
    );
  }
  await feedFrom(file, name);
}

async function isEmpty(store: EventStore): Promise<boolean> {
  return (await store.readAll({ limit: 1 })).events.length === 0;
}

/** Rejects with `Unavailable`: a server that starts at the same time as the service is waited for. */
async function reach(store: HealthyEventStore): Promise<void> {
  const { writable, reason } = await store.health();
  if (!writable) throw new EventStoreError('Unavailable', reason ?? 'no reason given');
}

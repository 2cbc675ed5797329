import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Config } from '../configuration/config.js';
import { withDamageCheck } from '../data-directory/damaged-file.check.js';
import { assertHistoryNotLost } from '../data-directory/lost-events.check.js';
import { assertFilesNotLost } from '../data-directory/lost-files.check.js';
import { eventsDbPath, openEventsDb, presentEventsDb } from './events-db.opener.js';
import { checkEmbeddedSource, checkServerSource } from './event-source.check.js';
import { assertReconciled } from './open-restore.check.js';
import { once, type StoreOpeningContext } from './store-opening.context.js';
import { retryWhileUnavailable } from './startup.retry.js';
import {
  EMBEDDED_STORE,
  eventStoreAddress,
  openEventStoreAt,
  storeName,
  type HealthyEventStore,
} from './store.address.js';

/** The events, and the file beside them. */
export interface EventsStores {
  /** As `storeName`. */
  readonly name: string;
  /** `events.db`; undefined in a command if the service has not created it yet. */
  file(): Promise<SqliteEventStore | undefined>;
  /** Rejects if a file of the data directory is lost. */
  events(): Promise<HealthyEventStore>;
}

export const EVENTS_PROFILES: Readonly<
  Record<Config['eventStore'], (opening: StoreOpeningContext) => EventsStores>
> = { sqlite: embeddedEvents, eventstoredb: eventStoreDbEvents };

/** `events.db` has the events and the data that commits with them. */
function embeddedEvents(opening: StoreOpeningContext): EventsStores {
  const { access, config, readModelUse } = opening;
  const { dataDir } = config;
  const path = eventsDbPath(dataDir);
  const file = once(() => openEventsDb(opening, EMBEDDED_STORE));
  const events = once(async () => {
    const store = presentEventsDb(dataDir, await file());
    return withDamageCheck(path, async () => {
      if (access === 'serve') {
        await checkEmbeddedSource(dataDir, store);
        await assertReconciled(store);
      } else await assertHistoryNotLost(dataDir, path, store);
      if (readModelUse === 'Read') await assertFilesNotLost(config, store);
      return store;
    });
  });
  return { name: EMBEDDED_STORE, file, events };
}

/** Events in EventStoreDB. Some of the other stores are in `events.db`. */
function eventStoreDbEvents(opening: StoreOpeningContext): EventsStores {
  const { access, config, readModelUse, report } = opening;
  const address = eventStoreAddress(config);
  const name = storeName(address);
  const file = once(() => openEventsDb(opening, name));

  const openForService = async (): Promise<HealthyEventStore> => {
    const eventsDb = await file();
    const { deadline: deadlineMs } = config.eventStoreDb;
    const store = opening.closeLater(await openEventStoreAt(address, { deadlineMs, report }));
    if (eventsDb) await checkServerSource(config, { file: eventsDb, store, name }, report);
    await retryWhileUnavailable(config, () => assertFilesNotLost(config, store));
    await retryWhileUnavailable(config, () => assertReconciled(store));
    return store;
  };
  const openForCommand = async (): Promise<HealthyEventStore> => {
    await file();
    const store = opening.closeLater(await openEventStoreAt(address, { readOnly: access === 'read' }));
    await assertHistoryNotLost(config.dataDir, name, store);
    if (readModelUse === 'Read') await assertFilesNotLost(config, store);
    return store;
  };
  return { name, file, events: once(access === 'serve' ? openForService : openForCommand) };
}

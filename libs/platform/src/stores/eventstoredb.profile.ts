import { assertHistoryNotLost } from '../data-directory/lost-events.check.js';
import { assertFilesNotLost } from '../data-directory/lost-files.check.js';
import { openEventsDb } from './events-db.opener.js';
import { once, type StoreOpeningContext } from './store-opening.context.js';
import { storesBesideEvents } from './sqlite.stores.js';
import { retryWhileUnavailable } from './startup.retry.js';
import { eventStoreAddress, storeName, openEventStoreAt, type HealthyEventStore } from './store.address.js';
import type { Stores } from './stores.js';
import { checkServerSource } from './event-source.check.js';

/** Events in EventStoreDB. The other stores are in SQLite files of the data directory, some of them in `events.db`. */
export function eventStoreDbStores(opening: StoreOpeningContext): Stores {
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
    return store;
  };
  const openForCommand = async (): Promise<HealthyEventStore> => {
    await file();
    const store = opening.closeLater(await openEventStoreAt(address, { readOnly: access === 'read' }));
    await assertHistoryNotLost(config.dataDir, name, store);
    if (readModelUse === 'Read') await assertFilesNotLost(config, store);
    return store;
  };
  const events = once(access === 'serve' ? openForService : openForCommand);
  return storesBesideEvents(opening, { name, file, events });
}

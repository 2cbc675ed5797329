import { refuseEmptyHistory } from '../data-directory/lost.events.js';
import { refuseLostFiles } from '../data-directory/lost.files.js';
import { openEventsDb } from './events-db.opening.js';
import { once, type Opening } from './opening.js';
import { storesBesideEvents } from './sqlite.stores.js';
import { onceAvailable } from './starting.patience.js';
import { eventStoreAddress, nameOfStore, openEventStoreAt, type HealthyEventStore } from './store.address.js';
import type { Stores } from './stores.js';
import { useServer } from './used.history.js';

/** Events in EventStoreDB; `events.db` in the data directory has what lies beside them, and the rest its own files there. */
export function eventStoreDbStores(opening: Opening): Stores {
  const { access, config, lists, report } = opening;
  const address = eventStoreAddress(config);
  const name = nameOfStore(address);
  const file = once(() => openEventsDb(opening, name));

  const ofTheService = async (): Promise<HealthyEventStore> => {
    const beside = await file();
    const { deadline: deadlineMs } = config.eventStoreDb;
    const store = opening.keep(await openEventStoreAt(address, { deadlineMs, report }));
    if (beside) await useServer(config, { file: beside, store, name }, report);
    await onceAvailable(config, () => refuseLostFiles(config, store));
    return store;
  };
  const ofACommand = async (): Promise<HealthyEventStore> => {
    await file();
    const store = opening.keep(await openEventStoreAt(address, { readOnly: access === 'read' }));
    await refuseEmptyHistory(config.dataDir, name, store);
    if (lists === 'Read') await refuseLostFiles(config, store);
    return store;
  };
  const events = once(access === 'serve' ? ofTheService : ofACommand);
  return storesBesideEvents(opening, { name, file, events });
}

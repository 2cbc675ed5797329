import { openingFile } from '../data-directory/damaged.files.js';
import { refuseEmptyHistory } from '../data-directory/lost.events.js';
import { refuseLostFiles } from '../data-directory/lost.files.js';
import { eventsDbIn, openEventsDb } from './events-db.opening.js';
import { once, type Opening } from './opening.js';
import { storesBesideEvents } from './sqlite.stores.js';
import { EMBEDDED } from './store.address.js';
import { StoreNotFound } from './store.errors.js';
import type { Stores } from './stores.js';
import { useEmbedded } from './used.history.js';

/** All in SQLite files of the data directory: `events.db` has the events, and what is committed together with them. */
export function embeddedStores(opening: Opening): Stores {
  const { access, config, lists } = opening;
  const { dataDir } = config;
  const path = eventsDbIn(dataDir);
  const file = once(() => openEventsDb(opening, EMBEDDED));
  const events = once(async () => {
    const store = await file();
    if (!store) {
      throw new StoreNotFound(`There is no events.db in DATA_DIR "${dataDir}"; the first start makes it.`);
    }
    return openingFile(path, async () => {
      if (access === 'serve') await useEmbedded(dataDir, store);
      else await refuseEmptyHistory(dataDir, path, store);
      if (lists === 'Read') await refuseLostFiles(config, store);
      return store;
    });
  });
  return storesBesideEvents(opening, { name: EMBEDDED, file, events });
}

import { withDamageCheck } from '../data-directory/damaged-file.check.js';
import { assertHistoryNotLost } from '../data-directory/lost-events.check.js';
import { assertFilesNotLost } from '../data-directory/lost-files.check.js';
import { eventsDbPath, openEventsDb } from './events-db.opener.js';
import { once, type StoreOpeningContext } from './store-opening.context.js';
import { storesBesideEvents } from './sqlite.stores.js';
import { EMBEDDED_STORE } from './store.address.js';
import { StoreNotFound } from './store.errors.js';
import type { Stores } from './stores.js';
import { checkEmbeddedSource } from './event-source.check.js';

/** All stores in SQLite files of the data directory. `events.db` has the events and the data that commits with them. */
export function embeddedStores(opening: StoreOpeningContext): Stores {
  const { access, config, readModelUse } = opening;
  const { dataDir } = config;
  const path = eventsDbPath(dataDir);
  const file = once(() => openEventsDb(opening, EMBEDDED_STORE));
  const events = once(async () => {
    const store = await file();
    if (!store) {
      throw new StoreNotFound(`There is no events.db in DATA_DIR "${dataDir}"; the first start makes it.`);
    }
    return withDamageCheck(path, async () => {
      if (access === 'serve') await checkEmbeddedSource(dataDir, store);
      else await assertHistoryNotLost(dataDir, path, store);
      if (readModelUse === 'Read') await assertFilesNotLost(config, store);
      return store;
    });
  });
  return storesBesideEvents(opening, { name: EMBEDDED_STORE, file, events });
}

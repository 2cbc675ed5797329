import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { MemoryWorkQueue } from '@tillstream/payments';
import {
  inspectSqliteWorkQueue,
  openSqliteIdempotency,
  openSqliteWorkQueue,
} from '@tillstream/payments-sqlite';
import { vaultStatus } from '@tillstream/vault';
import { assertResponseKeyNotLost } from '../data-directory/lost-files.check.js';
import { directoryStores, storeTrouble } from './directory.stores.js';
import { once, type StoreOpeningContext } from './store-opening.context.js';
import { readClockOffset, offsetClock, openClockOffset, REAL_TIME } from './service.clock.js';
import { presentEventsDb } from './events-db.opener.js';
import type { EventsStores } from './events.profiles.js';
import type { Stores } from './stores.js';
import { findVault, openVault } from './vault.opener.js';

/** The stores besides the events, in SQLite files. Each waits for the opening of the events, which checks for lost files. */
export function storesBesideEvents(
  opening: StoreOpeningContext,
  { name, file, events }: EventsStores,
): Stores {
  const { access, config, log } = opening;
  const { dataDir } = config;
  const isService = access === 'serve';
  const openEventsDb = async (): Promise<SqliteEventStore> => {
    await events();
    return presentEventsDb(dataDir, await file());
  };
  const clockOffset = once(async () => {
    if (config.mode !== 'sandbox') throw new Error('the clock of live mode can not be moved');
    return openClockOffset(dataDir, await openEventsDb());
  });
  return {
    name,
    events,
    idempotency: once(async () => {
      const eventsDb = await openEventsDb();
      const idempotency = await openSqliteIdempotency(eventsDb, await events());
      assertResponseKeyNotLost(config, eventsDb);
      return idempotency;
    }),
    workQueue: once(async () => {
      if (isService) return openSqliteWorkQueue(await openEventsDb());
      await events();
      const eventsDb = await file();
      return (eventsDb && inspectSqliteWorkQueue(eventsDb)) ?? new MemoryWorkQueue();
    }),
    clock: once(async () => {
      if (config.mode !== 'sandbox') return offsetClock(REAL_TIME);
      if (isService) return offsetClock(await clockOffset());
      await events();
      return offsetClock(readClockOffset(dataDir, await file()));
    }),
    clockOffset,
    vault: once(async () => {
      if (isService) await events();
      else await findVault(config, events);
      const opened = await openVault(config, log);
      opening.closeLater(opened.vault);
      return opened;
    }),
    vaultStatus: async () => {
      const { file } = await findVault(config, events);
      return { place: file, status: await vaultStatus(file) };
    },
    ...directoryStores(opening, name, events),
    trouble: async () => {
      const troubles = await Promise.all([await events(), await openEventsDb()].map(storeTrouble));
      return [...new Set(troubles.flat())];
    },
    close: () => opening.close(),
  };
}

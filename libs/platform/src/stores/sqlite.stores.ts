import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { MemoryWorkQueue } from '@tillstream/payments';
import {
  inspectSqliteWorkQueue,
  openSqliteIdempotency,
  openSqliteWorkQueue,
} from '@tillstream/payments-sqlite';
import { assertResponseKeyNotLost } from '../data-directory/lost-files.check.js';
import { openDirectoryReadModels } from './read-models.opener.js';
import { once, type StoreOpeningContext } from './store-opening.context.js';
import { readClockOffset, offsetClock, openClockOffset, REAL_CLOCK } from './service.clock.js';
import type { HealthyEventStore } from './store.address.js';
import { StoreNotFound } from './store.errors.js';
import type { Stores } from './stores.js';
import { findVault, openVault } from './vault.opener.js';

/** What a profile opens by itself. */
export interface EventsStores {
  readonly name: string;
  /** `events.db`; undefined in a command where the service did not make it yet. */
  file(): Promise<SqliteEventStore | undefined>;
  /** Once it has resolved, no file of the data directory is lost. */
  events(): Promise<HealthyEventStore>;
}

/** All but the events, in SQLite files of the data directory; each waits for the events, whose opening looks for lost files. */
export function storesBesideEvents(
  opening: StoreOpeningContext,
  { name, file, events }: EventsStores,
): Stores {
  const { access, config, log } = opening;
  const { dataDir } = config;
  const isService = access === 'serve';
  const fileBesideEvents = async (): Promise<SqliteEventStore> => {
    await events();
    const beside = await file();
    if (!beside)
      throw new StoreNotFound(`There is no events.db in DATA_DIR "${dataDir}"; the first start makes it.`);
    return beside;
  };
  const clockOffset = once(async () => {
    if (config.mode !== 'sandbox') throw new Error('the clock of live mode can not be moved');
    return openClockOffset(dataDir, await fileBesideEvents());
  });
  const readModels = once(async () => {
    const lists = await openDirectoryReadModels(opening, await events(), name);
    opening.closeLater({ close: () => lists.stop() });
    return lists;
  });
  return {
    name,
    events,
    idempotency: once(async () => {
      const beside = await fileBesideEvents();
      const idempotency = await openSqliteIdempotency(beside, await events());
      assertResponseKeyNotLost(config, beside);
      return idempotency;
    }),
    workQueue: once(async () => {
      if (isService) return openSqliteWorkQueue(await fileBesideEvents());
      await events();
      const beside = await file();
      return (beside && inspectSqliteWorkQueue(beside)) ?? new MemoryWorkQueue();
    }),
    clock: once(async () => {
      if (config.mode !== 'sandbox') return REAL_CLOCK;
      if (isService) return offsetClock(await clockOffset());
      await events();
      return offsetClock(readClockOffset(dataDir, await file()));
    }),
    clockOffset,
    vault: once(async () => {
      if (isService) await events();
      else await findVault(config, events);
      const chosen = await openVault(config, log);
      opening.closeLater(chosen.vault);
      return chosen;
    }),
    readModels,
    leases: once(async () => (await readModels()).leases),
    trouble: async () => {
      const troubles = await Promise.all([await events(), await fileBesideEvents()].map(storeTrouble));
      return [...new Set(troubles.flat())];
    },
    close: () => opening.close(),
  };
}

/** Why it can't be written now; empty when it can. */
export async function storeTrouble(store: HealthyEventStore): Promise<readonly string[]> {
  const { writable, reason } = await store.health();
  return writable ? [] : [`the event store can not be written: ${reason ?? 'no reason given'}`];
}

import {
  openPostgresClockOffset,
  openPostgresIdempotency,
  openPostgresLeases,
  openPostgresWorkQueue,
  storedClockOffset,
} from '@tillstream/payments-postgres';
import { MasterKeyError } from '@tillstream/vault';
import { openPostgresVault, postgresVaultStatus } from '@tillstream/vault/postgres';
import { ConfigError } from '../configuration/setting.kinds.js';
import { assertFilesNotLost } from '../data-directory/lost-files.check.js';
import { openDatabaseDeliveries } from '../webhooks/database-deliveries.opener.js';
import { openDatabaseReadModels } from './database-read-models.opener.js';
import { assertSameDatabaseSource, checkDatabaseSource } from './database-source.check.js';
import { storeTrouble } from './directory.stores.js';
import { openDataDirectory } from './events-db.opener.js';
import { openDatabase } from './postgres.opener.js';
import { offsetClock, REAL_TIME } from './service.clock.js';
import { assertReconciled } from './open-restore.check.js';
import { sessionKeysOf } from './session.keys.js';
import { retryWhileUnavailable } from './startup.retry.js';
import { once, type StoreOpeningContext } from './store-opening.context.js';
import { eventStoreAddress, openEventStoreAt, storeName, type HealthyEventStore } from './store.address.js';
import type { Stores } from './stores.js';
import { vaultLocation } from './vault.opener.js';

/** Events in EventStoreDB; all other stores in PostgreSQL, where several machines share them. */
export function postgresStores(opening: StoreOpeningContext): Stores {
  const { access, config } = opening;
  const isService = access === 'serve';
  const name = storeName(eventStoreAddress(config));
  const database = once(() => openDatabase(opening));
  const events = once(() => openEvents(opening, name, database));
  /** After the events, whose opening checks whether the database belongs to them. */
  const checkedDatabase = once(async () => {
    await events();
    return database();
  });
  const clockOffset = once(async () => {
    if (config.mode !== 'sandbox') throw new Error('the clock of live mode can not be moved');
    return opening.closeLater(
      await openPostgresClockOffset(await checkedDatabase(), { initialOffset: () => 0 }),
    );
  });
  return {
    name,
    events,
    idempotency: once(async () => openPostgresIdempotency(await checkedDatabase(), await events())),
    workQueue: once(async () => openPostgresWorkQueue(await checkedDatabase())),
    clock: once(async () => {
      if (config.mode !== 'sandbox') return offsetClock(REAL_TIME);
      if (isService) return offsetClock(await clockOffset());
      const offset = await storedClockOffset(await checkedDatabase());
      return offsetClock({ offsetMs: () => offset });
    }),
    clockOffset,
    vault: once(async () => {
      const { masterKeys, name: keysName } = vaultLocation(config);
      const opened = await checkedDatabase();
      try {
        const vault = opening.closeLater(await openPostgresVault(opened, masterKeys));
        return { vault, sessionKeys: sessionKeysOf(masterKeys) };
      } catch (error) {
        if (!(error instanceof MasterKeyError)) throw error;
        throw new ConfigError(`${keysName} does not fit the vault in ${opened.name}: ${error.message}`);
      }
    }),
    vaultStatus: async () => {
      const opened = await database();
      return { place: opened.name, status: await postgresVaultStatus(opened) };
    },
    readModels: once(async () => {
      const opened = { database: await checkedDatabase(), store: await events(), source: name };
      return openDatabaseReadModels(opening, opened);
    }),
    deliveries: once(async () => openDatabaseDeliveries(opening, await checkedDatabase(), name)),
    leases: once(async () => openPostgresLeases(await checkedDatabase())),
    trouble: async () => {
      const [ofEvents, { writable, reason }] = await Promise.all([
        storeTrouble(await events()),
        (await database()).health(),
      ]);
      return writable ? ofEvents : [...ofEvents, `the database can not be written: ${reason}`];
    },
    close: () => opening.close(),
  };
}

async function openEvents(
  opening: StoreOpeningContext,
  name: string,
  openedDatabase: () => ReturnType<typeof openDatabase>,
): Promise<HealthyEventStore> {
  const { access, config, readModelUse, report } = opening;
  openDataDirectory(access, config.dataDir);
  const database = await openedDatabase();
  const isService = access === 'serve';
  const store = opening.closeLater(
    await openEventStoreAt(eventStoreAddress(config), {
      readOnly: access === 'read',
      ...(isService && { deadlineMs: config.eventStoreDb.deadline, report }),
    }),
  );
  if (isService) await checkDatabaseSource(config, { database, store, name }, report);
  else await assertSameDatabaseSource(database, name);
  if (isService || readModelUse === 'Read') {
    await retryWhileUnavailable(config, () => assertFilesNotLost(config, store));
  }
  if (isService) await retryWhileUnavailable(config, () => assertReconciled(store));
  return store;
}

import {
  hasWorkQueueCheckpoint,
  resetAfterRestore,
  setEventSource,
  storedEventSource,
} from '@tillstream/payments-postgres';
import type { Postgres } from '@tillstream/postgres-driver';
import { isPostgresVaultUsed } from '@tillstream/vault/postgres';
import type { Config } from '../configuration/config.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { assertHistoryNotLost, hasEvent, isEmpty } from '../data-directory/lost-events.check.js';
import { ATTEMPTS } from '../data-directory/lost-files.check.js';
import { assertReachable, RESTORED } from './event-source.check.js';
import { isUnavailable, retryWhileUnavailable, type StoreConfig } from './startup.retry.js';
import { StoreNotFound } from './store-opening.context.js';
import type { HealthyEventStore } from './store.address.js';

interface DatabaseAndEvents {
  readonly database: Postgres;
  readonly store: HealthyEventStore;
  /** As `displayAddress`. */
  readonly name: string;
}

/**
 * For the start of a service whose idempotency keys, work and vault are in PostgreSQL. A start with only one of the two would
 * charge repeated requests again, or forget every payment.
 * @throws ConfigError if the database is new and the store has payments, if the store is empty and the database was used, or
 * if the store can't be reached
 */
export async function checkDatabaseSource(
  config: StoreConfig & Pick<Config, 'dataDir'>,
  { database, store, name }: DatabaseAndEvents,
  report: (trouble: string) => void,
): Promise<void> {
  try {
    await retryWhileUnavailable(config, async () => {
      await assertReachable(store);
      await assertHistoryNotLost(config.dataDir, name, store);
      await assertHistoryOfDatabase(database, store, name);
      await assertKeysNotLost(database, store, name);
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new ConfigError(`EVENTSTOREDB_URL names ${name}, which can not be used: ${error.message}.`);
  }
  await setEventSource(database, name);
  if (await resetAfterRestore(database, store)) report(RESTORED);
}

/** For a command. @throws StoreNotFound if the service uses the database with other events */
export async function assertSameDatabaseSource(database: Postgres, name: string): Promise<void> {
  const used = await storedEventSource(database);
  if (used === undefined || used === name) return;
  throw new StoreNotFound(
    `The service uses ${database.name} with its events in ${used}, and the settings here say ${name}; set EVENTSTOREDB_URL as the service has it.`,
  );
}

async function assertHistoryOfDatabase(
  database: Postgres,
  store: HealthyEventStore,
  name: string,
): Promise<void> {
  if (!(await isEmpty(store))) return;
  const wasUsed = (await hasWorkQueueCheckpoint(database)) || (await isPostgresVaultUsed(database));
  // Another machine may have made the first event since.
  if (!wasUsed || !(await isEmpty(store))) return;
  throw new ConfigError(
    `${name} holds no event, and ${database.name} was used with events: restore them from a backup, or set the store that has them, or set DATABASE_URL to a new database to start anew without the old payments.`,
  );
}

async function assertKeysNotLost(database: Postgres, store: HealthyEventStore, name: string): Promise<void> {
  if ((await storedEventSource(database)) !== undefined || !(await hasEvent(store, ATTEMPTS))) return;
  // Another machine may have started first, and taken a payment.
  if ((await storedEventSource(database)) !== undefined) return;
  throw new ConfigError(
    `${database.name} is new, and ${name} has payments whose idempotency keys and cards are elsewhere: set DATABASE_URL to the database that was used with them, or restore it from a backup, or set SHARED_STORE=files with the DATA_DIR that has them.`,
  );
}

import {
  isMigrated,
  migrate,
  openPostgres,
  PostgresError,
  type Migrations,
  type Postgres,
  type PostgresSettings,
} from '@tillstream/postgres-driver';
import { PAYMENTS_MIGRATIONS } from '@tillstream/payments-postgres';
import { LISTS_MIGRATIONS } from '@tillstream/read-models-postgres';
import { VAULT_MIGRATIONS } from '@tillstream/vault/postgres';
import { DELIVERY_MIGRATIONS } from '@tillstream/webhook-delivery-postgres';
import type { Config } from '../configuration/config.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { retryWithin } from './startup.retry.js';
import { StoreNotFound, type StoreOpeningContext } from './store-opening.context.js';

const COMPONENTS: readonly Migrations[] = [
  PAYMENTS_MIGRATIONS,
  VAULT_MIGRATIONS,
  LISTS_MIGRATIONS,
  DELIVERY_MIGRATIONS,
];

/**
 * Opens the database that several machines share. The service first brings its tables to this program's version, and waits
 * for a database that starts at the same time; a command changes nothing.
 * @throws ConfigError if the database can't be used, or if a newer program has changed its tables; StoreNotFound in a command
 * if no service has made the tables yet
 */
export async function openDatabase(opening: StoreOpeningContext): Promise<Postgres> {
  const { access, config } = opening;
  const settings = databaseSettings(config);
  const database = opening.closeLater(openConfigured(settings));
  try {
    if (access === 'serve') {
      await retryWithin(config.database.wait, isAway, () => migrate(settings, COMPONENTS));
      return database;
    }
    if (await isMigrated(database, COMPONENTS)) return database;
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    throw new ConfigError(`DATABASE_URL names ${database.name}, which can not be used: ${error.message}.`);
  }
  throw new StoreNotFound(
    `The tables in ${database.name} are missing or older than this program; the service's next start makes them.`,
  );
}

function openConfigured(settings: PostgresSettings): Postgres {
  try {
    return openPostgres(settings);
  } catch (error) {
    const { code = 'not readable' } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `DATABASE_CA_FILE "${settings.caFile}" can not be read (${code}); allowed is a file of certificates in PEM.`,
    );
  }
}

export function databaseSettings({ database }: Pick<Config, 'database'>): PostgresSettings {
  const { url = '', tls, caFile, connections, connectWithin, statementWithin } = database;
  return {
    url,
    tls: tls === 'off' ? 'Off' : 'Verify',
    caFile,
    connectionsMax: connections,
    connectWithinMs: connectWithin,
    statementWithinMs: statementWithin,
  };
}

/** The database is starting, or can not be reached now. */
function isAway(error: unknown): boolean {
  return error instanceof PostgresError && error.code !== 'Refused';
}

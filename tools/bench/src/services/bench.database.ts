import type { EventStore } from '@tillstream/event-store';
import { noLog } from '@tillstream/platform';
import { migrate, openPostgres, type PostgresSettings } from '@tillstream/postgres-driver';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import type { ReadModels } from '@tillstream/read-models';
import { LISTS_MIGRATIONS, openPostgresReadModels } from '@tillstream/read-models-postgres';

/** Those of a machine that is not small, so that a table of a million rows does not depend on a cache of a few MB. */
const SETTINGS = [
  'shared_buffers=1GB',
  'maintenance_work_mem=256MB',
  'max_wal_size=4GB',
  'max_connections=200',
];

export const POSTGRES_METHOD = `PostgreSQL of this machine's package, started for the benchmark with ${SETTINGS.join(', ')}, its writes synced to the disk of TMPDIR.`;

export function startPostgres(): Promise<PostgresServer> {
  return PostgresServer.start({ settings: SETTINGS });
}

export interface OpenedLists {
  readonly models: ReadModels;
  close(): Promise<void>;
}

/** Opens the lists in a database that may be empty; not started. */
export async function openListsInDatabase(
  settings: PostgresSettings,
  store: EventStore,
  source: string,
): Promise<OpenedLists> {
  await migrate(settings, [LISTS_MIGRATIONS]);
  const database = openPostgres(settings);
  const log = { info: noLog.info, warn: noLog.warn, failed: noLog.error };
  const models = await openPostgresReadModels({ database, store, source, log, makesMissing: true });
  return {
    models,
    async close() {
      await models.stop();
      await database.close();
    },
  };
}

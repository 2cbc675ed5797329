import type { Postgres } from '@tillstream/postgres-driver';
import type { ReadModels } from '@tillstream/read-models';
import { openPostgresReadModels } from '@tillstream/read-models-postgres';
import { readModelsLog } from './read-models.opener.js';
import type { StoreOpeningContext } from './store-opening.context.js';
import type { HealthyEventStore } from './store.address.js';

interface DatabaseAndEvents {
  readonly database: Postgres;
  readonly store: HealthyEventStore;
  /** The store's name. After a change of the store the lists are rebuilt, because positions differ. */
  readonly source: string;
}

/** Opens the lists that several machines share. The service makes missing ones; a command makes none. */
export async function openDatabaseReadModels(
  opening: StoreOpeningContext,
  { database, store, source }: DatabaseAndEvents,
): Promise<ReadModels> {
  const { access, log } = opening;
  const makesMissing = access === 'serve';
  const options = { database, store, source, log: readModelsLog(log), makesMissing };
  const lists = await openPostgresReadModels(options);
  opening.closeLater({ close: () => lists.stop() });
  return lists;
}

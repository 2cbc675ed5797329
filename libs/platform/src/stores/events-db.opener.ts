import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { inspectEventSource } from '@tillstream/payments-sqlite';
import { withDamageCheck } from '../data-directory/damaged-file.check.js';
import { assertEventsFileNotLost } from '../data-directory/lost-events.check.js';
import { statPath } from '../files/path.stats.js';
import { makePrivateDirectory } from '../files/private-files.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { StoreNotFound, type Access, type StoreOpeningContext } from './store-opening.context.js';
import { EMBEDDED_STORE, openEventsFile } from './store.address.js';

export function eventsDbPath(dataDir: string): string {
  return join(dataDir, 'events.db');
}

/**
 * Opens `events.db`, which every program opens first: if the file is lost, nothing is created in the data directory.
 * @param source the name of the store that has the events
 * @returns undefined in a command if the service has not created the file yet
 * @throws StoreNotFound if the service has its events in another store
 */
export async function openEventsDb(
  opening: StoreOpeningContext,
  source: string,
): Promise<SqliteEventStore | undefined> {
  const { access, config } = opening;
  const { dataDir } = config;
  const path = eventsDbPath(dataDir);
  openDataDirectory(access, dataDir);
  assertEventsFileNotLost(config);
  if (access === 'serve') {
    return opening.closeLater(await withDamageCheck(path, () => openEventsFile(path, false)));
  }
  const stats = statPath(path);
  if (stats === undefined) return undefined;
  if (stats.size === 0) throw new StoreNotFound(`${path} is empty and holds no event store.`);
  const readOnly = access === 'read' || source !== EMBEDDED_STORE;
  const file = opening.closeLater(await withDamageCheck(path, () => openEventsFile(path, readOnly)));
  assertSameSource(dataDir, file, source);
  return file;
}

/** @throws StoreNotFound in a command if the service has not created the file yet */
export function presentEventsDb(dataDir: string, file: SqliteEventStore | undefined): SqliteEventStore {
  if (file) return file;
  throw new StoreNotFound(`There is no events.db in DATA_DIR "${dataDir}"; the first start makes it.`);
}

/** Creates the directory for the service. @throws ConfigError; in a command StoreNotFound if there is none yet */
export function openDataDirectory(access: Access, dataDir: string): void {
  if (access === 'serve') makeDirectory(dataDir);
  else assertDirectoryExists(dataDir);
}

/** @throws ConfigError */
function makeDirectory(dataDir: string): void {
  try {
    makePrivateDirectory(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigError(
      `DATA_DIR is "${dataDir}", which is no directory that can be made and written; set another.`,
    );
  }
}

function assertDirectoryExists(dataDir: string): void {
  const stats = statPath(dataDir);
  if (stats === undefined) {
    throw new StoreNotFound(`There is no DATA_DIR "${dataDir}" yet; the service's first start makes it.`);
  }
  if (!stats.isDirectory()) throw new StoreNotFound(`DATA_DIR "${dataDir}" is no directory.`);
}

function assertSameSource(dataDir: string, file: SqliteEventStore, source: string): void {
  const used = inspectEventSource(file);
  if (used === undefined || used === source) return;
  throw new StoreNotFound(
    `The service uses DATA_DIR "${dataDir}" with its events in ${used}, and the settings here say ${source}; set EVENT_STORE and EVENTSTOREDB_URL as the service has them.`,
  );
}

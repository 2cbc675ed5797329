import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isRestored, recordRestore, type Actor } from '@tillstream/payments';
import { setEventSource } from '@tillstream/payments-sqlite';
import { isMissingOrEmpty } from '../data-directory/usage.traces.js';
import { makePrivateDirectory } from '../files/private-files.js';
import { offsetClock, REAL_TIME } from '../stores/service.clock.js';
import {
  eventStoreAddress,
  openEventsFile,
  openEventStoreAt,
  storeName,
  type HealthyEventStore,
} from '../stores/store.address.js';
import type { StoresConfig } from '../stores/store-opening.context.js';
import {
  BackupError,
  checksumOf,
  readManifest,
  type BackupManifest,
  type BackupPart,
} from './backup.manifest.js';
import type { CopyProgress } from './backup.progress.js';

export interface RestoreTools {
  /** Copies an event store's file into the configured server, which is empty or has a beginning of it. Throws if it fails. */
  copyEvents(file: string): Promise<void>;
  readonly postgresPrograms?: string | undefined;
}

export interface RestoreRequest extends CopyProgress, RestoreTools {
  readonly folder: string;
  /** Who is recorded for the restore. */
  readonly actor: Actor;
}

/** The restored clock is not open yet. */
const REAL_CLOCK = offsetClock(REAL_TIME);
/** Files of keys may be there before: a copy has none. */
const ALLOWED_BEFORE = ['vault.keys', 'answers.key'];
/** Of a file whose copying has begun. A later restore begins it anew. */
const DRAFT = '.restoring';

/**
 * Restores a copy into an empty data directory, or an empty server and database. The events first know that they were
 * restored, then the last part makes the stores usable: after an interruption a start is refused, and the restore can be
 * repeated.
 * @throws BackupError if the copy is unfinished, damaged, or of other settings, or if the target is not empty
 */
export async function restoreBackup(config: StoresConfig, request: RestoreRequest): Promise<BackupManifest> {
  const manifest = readManifest(request.folder);
  assertSameSettings(config, manifest);
  makePrivateDirectory(config.dataDir);
  assertEmptyDirectory(config.dataDir);
  await assertEmptyServers(config, manifest);
  for (const part of manifest.parts) await assertIntact(part, request);
  if (config.eventStore === 'eventstoredb') await restoreServerEvents(config, manifest, request);
  const files = await draftFiles(config.dataDir, manifest, request);
  await restoreDatabaseParts(config, manifest, request);
  if (files.includes('events.db')) await completeEventsFile(config, manifest, request);
  // A data directory without events.db, in which another file was used, does not start: so this file is the last one.
  const others = files.filter((name) => name !== 'events.db');
  for (const name of [...others, ...files.filter((one) => !others.includes(one))]) {
    renameSync(join(config.dataDir, `${name}${DRAFT}`), join(config.dataDir, name));
  }
  return manifest;
}

function assertSameSettings(config: StoresConfig, manifest: BackupManifest): void {
  for (const [setting, found, needed] of [
    ['MODE', config.mode, manifest.mode],
    ['EVENT_STORE', config.eventStore, manifest.eventStore],
    ['SHARED_STORE', config.sharedStore, manifest.sharedStore],
  ] as const) {
    if (found === needed) continue;
    throw new BackupError(
      `The copy is of a service with ${setting}=${needed}, and the settings here say ${found}.`,
    );
  }
}

function assertEmptyDirectory(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.endsWith(DRAFT) || /\.restoring-(wal|shm)$/.test(name)) rmSync(join(dataDir, name));
    else if (!ALLOWED_BEFORE.includes(name)) {
      throw new BackupError(
        `DATA_DIR "${dataDir}" is not empty (it has ${name}): move it away as a whole, and put only ${ALLOWED_BEFORE.join(' and ')} into a new one.`,
      );
    }
  }
}

async function assertEmptyServers(config: StoresConfig, manifest: BackupManifest): Promise<void> {
  if (config.sharedStore === 'postgres') {
    const { isEmptyDatabase } = await import('@tillstream/postgres-driver');
    const { databaseSettings } = await import('../stores/postgres.opener.js');
    if (!(await isEmptyDatabase(databaseSettings(config)))) {
      throw new BackupError('DATABASE_URL names a database that has tables: restore into a new database.');
    }
  }
  if (config.eventStore !== 'eventstoredb') return;
  await withServer(config, async (store) => {
    const page = await store.readAll({ limit: 1 });
    // The copying refuses a server with other events than the copy's first ones.
    if (page.events.length > 0 && manifest.events === 0) {
      throw new BackupError('EVENTSTOREDB_URL names a server that has events, and the copy has none.');
    }
  });
}

async function assertIntact({ file, bytes, sha256 }: BackupPart, request: RestoreRequest): Promise<void> {
  request.onStep?.(`Checking ${file}`);
  const path = join(request.folder, file);
  const onBytes = (done: number): void => request.onBytes?.(done, bytes);
  const found = await checksumOf(path, onBytes, request.signal).catch((error: unknown) => {
    request.signal?.throwIfAborted();
    throw new BackupError(`${path} can not be read: ${(error as Error).message}.`);
  });
  if (found.sha256 === sha256) return;
  throw new BackupError(`${path} is not the file that was copied: it was changed or damaged since.`);
}

async function restoreServerEvents(
  config: StoresConfig,
  manifest: BackupManifest,
  request: RestoreRequest,
): Promise<void> {
  const { copyId, takenAt } = manifest;
  const history = manifest.parts.find(({ kind }) => kind === 'History');
  if (!history) throw new BackupError('The copy has no events.');
  if (await withServer(config, (store) => isRestored(store, copyId))) return;
  request.onStep?.('Copying the events into the server');
  await request.copyEvents(join(request.folder, history.file));
  await withServer(config, (store) =>
    recordRestore({ store, clock: REAL_CLOCK }, request.actor, { copyId, takenAt }),
  );
}

async function withServer<T>(
  config: StoresConfig,
  work: (store: HealthyEventStore) => Promise<T>,
): Promise<T> {
  const store = await openEventStoreAt(eventStoreAddress(config));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Beside EventStoreDB the file names the server, which may have another address now. */
async function completeEventsFile(
  config: StoresConfig,
  { copyId, takenAt }: BackupManifest,
  { actor }: RestoreRequest,
): Promise<void> {
  const file = join(config.dataDir, `events.db${DRAFT}`);
  const store = await openEventsFile(file, false);
  try {
    if (config.eventStore === 'eventstoredb')
      await setEventSource(store, storeName(eventStoreAddress(config)));
    else await recordRestore({ store, clock: REAL_CLOCK }, actor, { copyId, takenAt });
  } finally {
    await store.close();
  }
  if (!isMissingOrEmpty(`${file}-wal`))
    throw new BackupError(`${file} could not be completed: repeat the restore.`);
}

/** Copies the files of the data directory beside their places. Returns their names. */
async function draftFiles(
  dataDir: string,
  { parts, eventStore }: BackupManifest,
  request: RestoreRequest,
): Promise<readonly string[]> {
  const files = parts.filter(
    ({ kind }) => kind === 'File' || (kind === 'History' && eventStore === 'sqlite'),
  );
  for (const { file, bytes, sha256 } of files) {
    request.onStep?.(`Copying ${file}`);
    const target = join(dataDir, `${file}${DRAFT}`);
    const written = await copySynced(join(request.folder, file), target, bytes, request);
    if (written !== sha256) throw new BackupError(`${file} was changed while it was copied.`);
  }
  return files.map(({ file }) => file);
}

/** Returns the hash of what was written. */
async function copySynced(
  source: string,
  target: string,
  bytes: number,
  { onBytes, signal }: CopyProgress,
): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(target, 'wx', 0o600);
  try {
    let done = 0;
    for await (const block of createReadStream(source) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      hash.update(block);
      await file.writeFile(block);
      done += block.length;
      onBytes?.(done, bytes);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

async function restoreDatabaseParts(
  config: StoresConfig,
  { parts }: BackupManifest,
  request: RestoreRequest,
): Promise<void> {
  const dump = parts.find(({ kind }) => kind === 'Database');
  if (!dump) return;
  request.onStep?.('Restoring the database');
  const { openPostgres, restoreDatabase } = await import('@tillstream/postgres-driver');
  const { setEventSource: setSource } = await import('@tillstream/payments-postgres');
  const { databaseSettings } = await import('../stores/postgres.opener.js');
  const { postgresPrograms: programs, signal } = request;
  const settings = databaseSettings(config);
  await restoreDatabase(settings, join(request.folder, dump.file), { programs, ...(signal && { signal }) });
  const database = openPostgres(settings);
  try {
    await setSource(database, storeName(eventStoreAddress(config)));
  } finally {
    await database.close();
  }
}

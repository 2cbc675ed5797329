import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyDatabase, findDamage } from '@tillstream/sqlite-driver';
import type { Config } from '../configuration/config.js';
import { eventsDbPath } from '../stores/events-db.opener.js';
import { openEventsFile } from '../stores/store.address.js';
import { findLedgerFiles } from '../data-directory/sandbox-ledger.files.js';
import { isMissingOrEmpty } from '../data-directory/usage.traces.js';
import { makePrivateDirectory } from '../files/private-files.js';
import type { StoresConfig } from '../stores/store-opening.context.js';
import {
  BACKUP_FORMAT,
  BackupError,
  checksumOf,
  newCopyId,
  writeManifest,
  type BackupManifest,
  type BackupPart,
} from './backup.manifest.js';
import type { CopyProgress } from './backup.progress.js';

/** The events of EventStoreDB in a copy: an event store's file, which `verify` reads too. */
export const HISTORY_FILE = 'history.db';
export const DATABASE_FILE = 'database.dump';

export interface BackupTools {
  /** Copies the events of the configured server, as far as they are now, to a new event store's file. Throws if it fails. */
  copyEvents(file: string): Promise<void>;
  /** Left out: the PATH. */
  readonly postgresPrograms?: string | undefined;
}

export interface BackupRequest extends CopyProgress, BackupTools {
  /** Missing or empty. */
  readonly folder: string;
  /** The version of the program. */
  readonly program: string;
}

/**
 * Copies all stores that can't be made again while the service runs, the events first: what the events refer to (cards,
 * idempotency keys, the clock) is then in the copy, or newer than it. The lists and the deliveries in files of the data
 * directory follow from the events and are not copied; keys are never copied.
 * @throws BackupError, ConfigError, and the errors of the stores; the folder then has no manifest
 */
export async function backUp(config: StoresConfig, request: BackupRequest): Promise<BackupManifest> {
  const { folder, program } = request;
  prepareFolder(folder);
  const parts: BackupPart[] = [];
  let events = 0;
  for (const part of partsOf(config, request)) {
    request.signal?.throwIfAborted();
    const startedAt = new Date().toISOString();
    await part.copy(join(folder, part.file));
    request.onStep?.(`Checking ${part.file}`);
    if (part.kind === 'History') events = await countEvents(join(folder, part.file));
    if (part.kind !== 'Database') assertUndamaged(join(folder, part.file));
    const onBytes = (bytes: number): void => request.onBytes?.(bytes, 0);
    const checksum = await checksumOf(join(folder, part.file), onBytes, request.signal);
    parts.push({ kind: part.kind, file: part.file, ...checksum, startedAt });
  }
  const [first] = parts;
  if (!first) throw new BackupError('There is nothing to copy.');
  const { mode, eventStore, sharedStore } = config;
  const manifest: BackupManifest = {
    ...{ format: BACKUP_FORMAT, copyId: newCopyId(), program, mode, eventStore, sharedStore },
    takenAt: first.startedAt,
    finishedAt: new Date().toISOString(),
    events,
    parts,
  };
  writeManifest(folder, manifest);
  return manifest;
}

interface PartToCopy extends Pick<BackupPart, 'kind' | 'file'> {
  copy(target: string): Promise<void>;
}

/** In the order of copying. */
function* partsOf(config: StoresConfig, request: BackupRequest): Generator<PartToCopy> {
  const { dataDir, eventStore, sharedStore } = config;
  const file = (name: string): PartToCopy => ({
    kind: 'File',
    file: name,
    copy: (target) => copyFile(join(dataDir, name), target, request),
  });
  if (eventStore === 'sqlite') {
    if (isMissingOrEmpty(eventsDbPath(dataDir))) {
      throw new BackupError(`There are no events in DATA_DIR "${dataDir}".`);
    }
    yield { ...file('events.db'), kind: 'History' };
  } else {
    yield {
      kind: 'History',
      file: HISTORY_FILE,
      async copy(target) {
        request.onStep?.('Copying the events of the server');
        await request.copyEvents(target);
      },
    };
  }
  if (sharedStore === 'postgres') yield databasePart(config, request);
  else {
    if (eventStore === 'eventstoredb') yield file('events.db');
    if (!isMissingOrEmpty(join(dataDir, 'vault.db'))) yield file('vault.db');
  }
  // A processor executes before the history knows, so its simulated books come last.
  for (const ledger of findLedgerFiles(dataDir))
    if (!isMissingOrEmpty(join(dataDir, ledger))) yield file(ledger);
}

function databasePart(config: StoresConfig, request: BackupRequest): PartToCopy {
  return {
    kind: 'Database',
    file: DATABASE_FILE,
    async copy(target) {
      request.onStep?.('Copying the database');
      const { dumpDatabase } = await import('@tillstream/postgres-driver');
      const { databaseSettings } = await import('../stores/postgres.opener.js');
      const { postgresPrograms: programs, signal } = request;
      await dumpDatabase(databaseSettings(config), target, { programs, ...(signal && { signal }) });
    },
  };
}

async function copyFile(source: string, target: string, request: BackupRequest): Promise<void> {
  request.onStep?.(`Copying ${source}`);
  // SQLite would make it readable by the umask of the process.
  closeSync(openSync(target, 'wx', 0o600));
  await copyDatabase(source, target, {
    ...(request.signal && { signal: request.signal }),
    onProgress: (done, total) => request.onBytes?.(done, total),
  });
}

function prepareFolder(folder: string): void {
  makePrivateDirectory(folder);
  const [first] = readdirSync(folder);
  if (first !== undefined) {
    throw new BackupError(`${folder} is not empty (it has ${first}): each copy needs a folder of its own.`);
  }
}

function assertUndamaged(file: string): void {
  const damage = findDamage(file);
  if (damage !== undefined) throw new BackupError(`${file} is damaged, and so is its source: ${damage}.`);
}

/** The positions of this store have no gaps. */
async function countEvents(file: string): Promise<number> {
  const store = await openEventsFile(file, true);
  try {
    return Number((await store.head()) ?? 0);
  } finally {
    await store.close();
  }
}

/** What an operator has to keep elsewhere to be able to use the copy. */
export function neededKeys({
  dataDir,
  vaultMasterKey,
  vaultMasterKeyFile,
  answerKey,
}: Pick<Config, 'dataDir' | 'vaultMasterKey' | 'vaultMasterKeyFile' | 'answerKey'>): readonly string[] {
  const ofVault = vaultMasterKey ? 'VAULT_MASTER_KEY' : (vaultMasterKeyFile ?? join(dataDir, 'vault.keys'));
  return [ofVault, answerKey === undefined ? join(dataDir, 'answers.key') : 'IDEMPOTENCY_ANSWER_KEY'];
}

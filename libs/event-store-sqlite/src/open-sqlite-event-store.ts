import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommitNotifier } from './reader/commit-notifier.js';
import { EventReader } from './reader/event-reader.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import type { QueueLimits } from './writer/group-queue.js';
import { WriterThread } from './writer/writer-thread.js';

export interface SqliteEventStoreOptions {
  /**
   * The file, such as `.data/events.db`. The store creates it and its folder. It must be on a local disk: SQLite's
   * write-ahead log does not work over a network.
   */
  readonly file: string;
  /** Opens an existing file to read only, and creates nothing. Left out: false. */
  readonly readOnly?: boolean;
  /** How long the writer waits for the commit of another process before it rejects with `Unavailable`, ms. Left out: 5000. */
  readonly busyTimeoutMs?: number;
}

/** A group may take milliseconds only, because other processes wait for its commit. One append may have 1 MiB. */
const LIMITS: QueueLimits = { groupUnitsMax: 256, groupBytesMax: 2_097_152, queueUnitsMax: 10_000 };

/**
 * Opens the embedded store and starts its writer's thread. Rejects with `Unavailable` if the file can't be opened, is no
 * event store, or was written by a newer version. Rejects with an `Error` if event-store-sqlite was not built.
 */
export async function openSqliteEventStore(options: SqliteEventStoreOptions): Promise<SqliteEventStore> {
  const { file, readOnly = false, busyTimeoutMs = 5000 } = options;
  let commits: CommitNotifier | undefined;
  let writer: WriterThread | undefined;
  if (!readOnly) {
    makeFolder(dirname(resolve(file)));
    writer = await WriterThread.start({ file, busyTimeoutMs }, LIMITS, () => commits?.notify());
  }
  try {
    const reader = new EventReader(file, readOnly);
    commits = new CommitNotifier(() => reader.dataVersion());
    return new SqliteEventStore(file, reader, writer, commits);
  } catch (error) {
    await writer?.close();
    throw error;
  }
}

/** Creates the folder durably: SQLite syncs the folder of the file, but not the parent of a new folder. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { recursive: true });
  const parent = openSync(dirname(folder), 'r');
  try {
    fsyncSync(parent);
  } finally {
    closeSync(parent);
  }
}

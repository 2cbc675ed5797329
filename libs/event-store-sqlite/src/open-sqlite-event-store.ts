import { AppendNotifier } from '@tillstream/event-store';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommitWatch } from './reader/commit-watch.js';
import { EventReader } from './reader/event-reader.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { WriterThread } from './writer/writer-thread.js';

export interface SqliteEventStoreOptions {
  /** The file, such as `.data/events.db`; it and its folder are made if missing. On a local disk: SQLite's write-ahead log does not work over a network. */
  readonly file: string;
  /** Open an existing file without any way to write; nothing is made. Left out: false. */
  readonly readOnly?: boolean;
  /** How long the writer waits for another process's commit before it rejects with `Unavailable`, ms. Left out: 5000. */
  readonly busyTimeoutMs?: number;
  /** Most appends committed together. Left out: 256. */
  readonly groupUnitsMax?: number;
}

/** Most bytes committed together: with it a group stays at milliseconds. One append may be 1 MiB. */
const GROUP_BYTES_MAX = 2_097_152;
const QUEUE_UNITS_MAX = 10_000;

/**
 * Opens the embedded store and starts its writer's thread. Rejects with `Unavailable` when the file can't be opened, is
 * no event store, or was written by a newer version; with an `Error` when event-store-sqlite was not built.
 */
export async function openSqliteEventStore(options: SqliteEventStoreOptions): Promise<SqliteEventStore> {
  const { file, readOnly = false, busyTimeoutMs = 5000, groupUnitsMax = 256 } = options;
  const wakeUp = new AppendNotifier();
  let writer: WriterThread | undefined;
  if (!readOnly) {
    makeFolder(dirname(resolve(file)));
    const limits = { groupUnitsMax, groupBytesMax: GROUP_BYTES_MAX, queueUnitsMax: QUEUE_UNITS_MAX };
    writer = await WriterThread.start({ file, busyTimeoutMs }, limits, () => wakeUp.notify());
  }
  try {
    const reader = new EventReader(file, readOnly);
    return new SqliteEventStore(file, reader, writer, wakeUp, new CommitWatch(reader, wakeUp));
  } catch (error) {
    await writer?.close();
    throw error;
  }
}

/** SQLite makes the file durable in its folder, but not a new folder in the one above. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { recursive: true });
  const above = openSync(dirname(folder), 'r');
  try {
    fsyncSync(above);
  } finally {
    closeSync(above);
  }
}

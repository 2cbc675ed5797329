import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReadModelsLog } from '@tillstream/read-models';
import { openDatabase } from '@tillstream/sqlite-driver';

/** Reports each file that was set aside, as `list-damaged`. */
export type DamageLog = Pick<ReadModelsLog, 'warn'>;

/** The newest damaged files are kept. Each may be as large as a list. */
const DAMAGED_FILES_MAX = 5;

const DAMAGED = /\.db\.damaged-(\d{8}T\d{9}Z)$/;
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Renames a damaged file and its write-ahead log. `reason` says in one line what is wrong with it. Open connections still read the old content. Call it under the lock of
 * the database that says that the file is in use.
 */
export function setAside(file: string, reason: string) {
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  const movedTo = `${file}.damaged-${time}`;
  if (existsSync(file)) renameSync(file, movedTo);
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${movedTo}-wal`);
  for (const rest of [`${file}-shm`, `${file}-journal`]) rmSync(rest, { force: true });
  removeOldest(dirname(file));
  return { file, movedTo, reason: reason.replace(`${file}: `, '') };
}

function removeOldest(directory: string): void {
  const timeOf = (name: string): string => DAMAGED.exec(name)?.[1] ?? '';
  const newestFirst = readdirSync(directory)
    .filter((name) => DAMAGED.test(name))
    .sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  for (const name of newestFirst.slice(DAMAGED_FILES_MAX)) {
    for (const removed of [name, `${name}-wal`]) rmSync(join(directory, removed), { force: true });
  }
}

/**
 * Runs `work` while no other process or thread runs its own on this directory. The lock is a lock on a file, so it ends
 * with its process. Blocking; throws with the code `SQLITE_BUSY` after 10 s.
 */
export function withDamageLock<T>(directory: string, work: () => T): T {
  const lock = openDatabase(join(directory, 'damage.lock'), {}, (db) => {
    db.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
    db.exec('BEGIN EXCLUSIVE');
  });
  try {
    return work();
  } finally {
    lock.close();
  }
}

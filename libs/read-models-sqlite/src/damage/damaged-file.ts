import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ReadModelsLog } from '@tillstream/read-models';
import { openDatabase } from '@tillstream/sqlite-driver';

/** A damaged file, and where it was moved. */
export interface DamagedFileMove {
  readonly file: string;
  readonly movedTo: string;
  /** What is wrong with it, in one line. */
  readonly reason: string;
}

/** Is told of every file that is set aside. */
export type OnSetAside = (what: DamagedFileMove) => void;

/** As a line of the log. */
export function warnOnSetAside(log: Pick<ReadModelsLog, 'warn'>): OnSetAside {
  return (what) => log.warn('list-damaged', { ...what });
}

/** Damaged files that a directory keeps, the newest: each may be as large as a list. */
export const DAMAGED_FILES_MAX = 5;

const DAMAGED = /\.db\.damaged-(\d{8}T\d{9}Z)(-wal)?$/;
const WAIT_MS = 10_000;

/**
 * Renames a damaged file and its write-ahead log; whoever has it open still reads what it knew. Only with the lock of
 * whatever says that it is in use.
 */
export function setAside(file: string, reason: string): DamagedFileMove {
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  const movedTo = `${file}.damaged-${time}`;
  if (existsSync(file)) renameSync(file, movedTo);
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${movedTo}-wal`);
  for (const rest of [`${file}-shm`, `${file}-journal`]) rmSync(rest, { force: true });
  removeOldest(dirname(file));
  return { file, movedTo, reason: reason.replace(`${file}: `, '') };
}

function removeOldest(directory: string): void {
  const damaged = readdirSync(directory).filter((name) => DAMAGED.test(name) && !name.endsWith('-wal'));
  const byAge = damaged.sort((a, b) => (timeInFileName(a) < timeInFileName(b) ? 1 : -1));
  for (const name of byAge.slice(DAMAGED_FILES_MAX)) {
    for (const one of [name, `${name}-wal`]) rmSync(join(directory, one), { force: true });
  }
}

const timeInFileName = (name: string): string => DAMAGED.exec(basename(name))?.[1] ?? '';

/**
 * Runs `work` while no other process or thread runs its own on this directory. The lock is one on a file, so a process
 * that dies does not keep it. Blocking; throws with a code `SQLITE_BUSY` after 10 s.
 */
export function withDamageLock<T>(directory: string, work: () => T): T {
  const lock = openDatabase(join(directory, 'damage.lock'), {}, (db) => {
    db.pragma(`busy_timeout = ${WAIT_MS}`);
    db.exec('BEGIN EXCLUSIVE');
  });
  try {
    return work();
  } finally {
    lock.close();
  }
}

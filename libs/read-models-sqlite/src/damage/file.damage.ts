import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { ReadModelsLog } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { openDatabase } from '@tillstream/sqlite-driver';
import { withFile } from '../tables/sqlite.dialect.js';

/** A readable file with wrong content. Its code is SQLite's, so that `isDamage` recognizes it. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  readonly code = 'SQLITE_CORRUPT';
}

/**
 * Whether an error can mean that a file is damaged: a page is malformed, the file is not a database, or it lacks a table
 * (as an empty file does). Compares codes, because each copy of the driver has its own error class
 * (https://sqlite.org/rescode.html).
 */
export function isDamage(error: unknown): boolean {
  return isDamagedPage(error) || isMissingTable(error);
}

/** A page is malformed or the whole file is not a database. This means damage after any statement. */
export function isDamagedPage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(codeOf(error)));
}

/** Means damage only if the statement is known to fit the tables. Otherwise it can be a bug of the program. */
function isMissingTable(error: unknown): boolean {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return codeOf(error) === 'SQLITE_ERROR' && /no such (table|column)/.test(String(message));
}

/**
 * Whether an error can mean that another process is renaming the file, or removing the files beside it, at this moment.
 * The check is then repeated under the lock of that process.
 */
export function isFileAccess(error: unknown): boolean {
  return /^SQLITE_(IOERR|CANTOPEN)/.test(String(codeOf(error)));
}

function codeOf(error: unknown): unknown {
  return ((error ?? {}) as { readonly code?: unknown }).code;
}

/** A start reads files up to this size whole (about 50 ms), and no larger ones: its time would grow with history. */
const READ_WHOLE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Returns what is wrong with a file; undefined if no damage is found or the file is missing. `prepare` prepares the
 * statements of the file's users; the pages of a small file are all checked. Throws errors that do not mean damage.
 */
export function findFileDamage(file: string, prepare: (db: Database.Database) => void): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    withFile(file, 'reader', (db) => {
      prepare(db);
      if (statSync(file).size <= READ_WHOLE_BYTES_MAX) checkEveryPage(db);
    });
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return errorMessage(error);
  }
}

/** @throws DamagedFile, or SQLite's error */
export function checkEveryPage(db: Database.Database): void {
  const found = String(db.pragma('quick_check(1)', { simple: true }));
  if (found !== 'ok') throw new DamagedFile(found);
}

/** Reports each file that was set aside, as `list-damaged`. */
export type DamageLog = Pick<ReadModelsLog, 'warn'>;

/** The newest damaged files are kept. Each may be as large as a list. */
const DAMAGED_FILES_MAX = 5;

const DAMAGED = /\.db\.damaged-(\d{8}T\d{9}Z)$/;
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Renames a damaged file and its write-ahead log; of a missing file, the log only. `reason` says in one line what is wrong.
 * Open connections still read the old content. Call it under the lock of the database that says that the file is in use.
 */
export function setAside(file: string, reason: string) {
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  const movedTo = `${file}.damaged-${time}`;
  const exists = existsSync(file);
  if (exists) renameSync(file, movedTo);
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${movedTo}-wal`);
  for (const rest of [`${file}-shm`, `${file}-journal`]) rmSync(rest, { force: true });
  removeOldest(dirname(file));
  return { file, ...(exists && { movedTo }), reason: reason.replace(`${file}: `, '') };
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

import { existsSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { errorMessage } from '../error.message.js';
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

import { existsSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { errorMessage } from '../error.message.js';
import { withFile } from '../tables/sqlite.dialect.js';
import { DamagedFile, isDamage } from './damage.errors.js';

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

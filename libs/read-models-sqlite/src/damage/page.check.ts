import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { openFile } from '../tables/sqlite.dialect.js';
import { DamagedFile, isDamage } from './damage.errors.js';

/** Larger files are not read as a whole at a start, which would grow with history: some 50 ms. */
const READ_WHOLE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * What is wrong with a file, undefined where nothing is seen. `use` prepares what its users ask of it; a small file is
 * looked through as well, so that any damaged page is found. Throws what is no damage: a file that can't be opened.
 */
export function findFileDamage(file: string, use: (db: Database.Database) => void): string | undefined {
  try {
    const db = openFile(file, 'reader');
    try {
      use(db);
      if (statSync(file).size <= READ_WHOLE_BYTES_MAX) checkEveryPage(db);
    } finally {
      db.close();
    }
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Every page of a file. @throws DamagedFile, or SQLite's error */
export function checkEveryPage(db: Database.Database): void {
  const found = String(db.pragma('quick_check(1)', { simple: true }));
  if (found !== 'ok') throw new DamagedFile(found);
}

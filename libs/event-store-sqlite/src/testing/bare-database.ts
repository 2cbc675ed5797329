import type Database from 'better-sqlite3';
import { openWriter } from '../schema.js';

/**
 * Opens a plain driver connection to a file with this store's tables. Benchmarks compare the store with it and fill large
 * files through it. It checks no revisions and no hashes, so never open a file that is in use.
 */
export function openBareDatabase(file: string): Database.Database {
  return openWriter(file);
}

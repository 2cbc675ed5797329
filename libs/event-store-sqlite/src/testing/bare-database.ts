import type Database from 'better-sqlite3';
import { openWriter } from '../schema.js';

/**
 * The driver's own connection to a file with this store's tables, for benchmarks to compare the store with and to fill
 * a large file quickly. Nothing here checks a revision or a hash: never for a file that is in use.
 */
export function openBareDatabase(file: string): Database.Database {
  return openWriter(file);
}

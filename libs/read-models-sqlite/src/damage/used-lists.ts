import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listOfFile } from '../generations/generation.js';
import { withFile } from '../tables/sqlite.dialect.js';
import { isDamage } from './file.damage.js';

/**
 * The path of a list in this directory that was made from events, or that is damaged and may have been; undefined if there
 * is none. Creates nothing.
 */
export function findUsedList(directory: string): string | undefined {
  if (!existsSync(directory)) return undefined;
  return readdirSync(directory)
    .filter((name) => name.endsWith('.db') && listOfFile(name) !== undefined)
    .map((name) => join(directory, name))
    .find(isListUsed);
}

function isListUsed(file: string): boolean {
  try {
    return withFile(file, 'reader', (db) => {
      const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'progress'";
      if (db.prepare(table).get() === undefined) return false;
      const traces = 'SELECT 1 FROM progress WHERE position IS NOT NULL UNION ALL SELECT 1 FROM rows LIMIT 1';
      return db.prepare(traces).get() !== undefined;
    });
  } catch (error) {
    // A damaged file counts as used: a first start that was killed does not leave a damaged file.
    return isDamage(error);
  }
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generationOfFile } from '../generations/generation.names.js';
import { openFile } from '../tables/sqlite.dialect.js';
import { isDamage } from './damage.errors.js';

/**
 * The path of a list in this directory that was made from events, or that is damaged and may have been; undefined where
 * there is none. Makes nothing.
 */
export function findUsedList(directory: string): string | undefined {
  for (const name of namesIn(directory)) {
    if (!name.endsWith('.db') || generationOfFile(name) === undefined) continue;
    const file = join(directory, name);
    if (isListUsed(file)) return file;
  }
  return undefined;
}

function isListUsed(file: string): boolean {
  try {
    const db = openFile(file, 'reader');
    try {
      const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'progress'";
      if (db.prepare(table).get() === undefined) return false;
      const traces = 'SELECT 1 FROM progress WHERE position IS NOT NULL UNION ALL SELECT 1 FROM rows LIMIT 1';
      return db.prepare(traces).get() !== undefined;
    } finally {
      db.close();
    }
  } catch (error) {
    // Of no use as a list, but a first start that was killed leaves none that is damaged.
    return isDamage(error);
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

import { openDatabase } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { existsSync } from 'node:fs';

/** How long a read waits for another process. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Whether the file is missing or has no tables. Does not create it.
 * @throws `SqliteError` if the file can't be read
 */
export function isNewSandbox(file: string): boolean {
  return readFile(file, (db) => !hasOperations(db)) ?? true;
}

/**
 * Whether an operation was ever sent to the sandbox of this file. Does not create it.
 * @throws `SqliteError` if the file can't be read
 */
export function isSandboxUsed(file: string): boolean {
  const isUsed = (db: Database.Database): boolean =>
    hasOperations(db) && db.prepare('SELECT 1 FROM operation LIMIT 1').get() !== undefined;
  return readFile(file, isUsed) ?? false;
}

/**
 * How far the clock in this file is ahead of real time, ms; 0 without a file or clock. Does not create the file.
 * @throws `SqliteError` if the file can't be read
 */
export function readClockOffset(file: string): number {
  const offset = (db: Database.Database): number =>
    hasTable(db, 'clock') ? Number(db.prepare('SELECT offset_ms FROM clock').pluck().get() ?? 0) : 0;
  return readFile(file, offset) ?? 0;
}

function hasOperations(db: Database.Database): boolean {
  return hasTable(db, 'operation');
}

function hasTable(db: Database.Database, name: string): boolean {
  const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
  return db.prepare(table).get(name) !== undefined;
}

/** Undefined if there is no file. */
function readFile<T>(file: string, read: (db: Database.Database) => T): T | undefined {
  if (!existsSync(file)) return undefined;
  const db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

import { openDatabase } from '@tillstream/sqlite-driver';
import { existsSync } from 'node:fs';

/*
 * Reads a sandbox's file without opening the sandbox. No function creates the file; each throws a `SqliteError` if the file
 * can't be read.
 */

/** How long a read waits for another process. */
const BUSY_TIMEOUT_MS = 5_000;

/** Whether the file is missing or has no tables. */
export function isNewSandbox(file: string): boolean {
  return firstValue(file, 'operation', 'SELECT 1') === undefined;
}

/** Whether an operation was ever sent to the sandbox of this file. */
export function isSandboxUsed(file: string): boolean {
  return firstValue(file, 'operation', 'SELECT 1 FROM operation LIMIT 1') !== undefined;
}

/** How far the clock in this file is ahead of real time, ms; 0 without a file or clock. */
export function readClockOffset(file: string): number {
  return Number(firstValue(file, 'clock', 'SELECT offset_ms FROM clock') ?? 0);
}

/** Undefined if there is no file, table or row. */
function firstValue(file: string, table: string, query: string): unknown {
  if (!existsSync(file)) return undefined;
  const db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  try {
    const hasTable = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
    return hasTable && db.prepare(query).pluck().get();
  } finally {
    db.close();
  }
}

import type Database from 'better-sqlite3';
import { isBusy } from './busy.error.js';

const PAUSE_MS = 20;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Changes the file's journal mode, and blocks for as long as others keep it from that: the one step for which SQLite does
 * not wait by itself, whatever its `busy_timeout`. Two processes may make a file at the same moment.
 *
 * @returns the mode that the file has now, which is not `wal` on a file system that can't hold such a log
 * @throws `SqliteError`, `SQLITE_BUSY…` after `unknownTimeoutMs`
 */
export function enableWriteAheadLog(db: Database.Database, timeoutMs: number): string {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return String(db.pragma('journal_mode = WAL', { simple: true }));
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    Atomics.wait(pauseCell, 0, 0, PAUSE_MS);
  }
}

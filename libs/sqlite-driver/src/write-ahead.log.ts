import type Database from 'better-sqlite3';
import { isBusy } from './busy.error.js';

const PAUSE_MS = 20;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Changes the file's journal mode, and blocks while another connection locks the file. SQLite does not wait for this lock
 * itself, with any `busy_timeout`, and two processes may create a file at the same time.
 *
 * @returns the mode that the file has now; not `wal` on a file system that can't hold such a log
 * @throws `SqliteError`, `SQLITE_BUSY…` after `timeoutMs`
 */
export function enableWriteAheadLog(db: Database.Database, timeoutMs: number): string {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return String(db.pragma('journal_mode = WAL', { simple: true }));
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    Atomics.wait(pauseCell, 0, 0, PAUSE_MS);
  }
}

import type Database from 'better-sqlite3';
import { isBusy } from './sqlite.errors.js';

const WRITE_AHEAD_LOG_PAUSE_MS = 20;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs `work` again while another connection locks the file, and blocks the thread. Throws what `work` throws after
 * `timeoutMs`. SQLite's own pauses grow to 100 ms, which would leave the lock to a busy process.
 */
export function blockWhileBusy<T>(work: () => T, timeoutMs: number, pauseMs: number): T {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    // A random pause, so that processes do not all repeat at the same time.
    Atomics.wait(pauseCell, 0, 0, pauseMs * (0.2 + Math.random()));
  }
}

/**
 * Changes the file's journal mode. SQLite does not wait for this lock itself, with any `busy_timeout`, and two processes
 * may create a file at the same time.
 *
 * @returns the mode that the file has now; not `wal` on a file system that can't hold such a log
 * @throws `SqliteError`, `SQLITE_BUSY…` after `timeoutMs`
 */
export function enableWriteAheadLog(db: Database.Database, timeoutMs: number): string {
  const change = (): string => String(db.pragma('journal_mode = WAL', { simple: true }));
  return blockWhileBusy(change, timeoutMs, WRITE_AHEAD_LOG_PAUSE_MS);
}

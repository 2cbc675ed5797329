import type Database from 'better-sqlite3';
import { isBusy } from './busy.js';

const PAUSE_MS = 20;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

/**
 * Changes the file's journal mode, and blocks for as long as others keep it from that: the one step for which SQLite does
 * not wait by itself, whatever its `busy_timeout`. Two processes may make a file at the same moment.
 *
 * @returns the mode that the file has now, which is not `wal` on a file system that can't hold such a log
 * @throws `SqliteError`, `SQLITE_BUSY…` after `patienceMs`
 */
export function useWriteAheadLog(db: Database.Database, patienceMs: number): string {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return String(db.pragma('journal_mode = WAL', { simple: true }));
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    Atomics.wait(nobodyWakes, 0, 0, PAUSE_MS);
  }
}

import { errorCode, openDatabase } from '@tillstream/sqlite-driver';

/**
 * Whether a process of this machine has this SQLite file open and has read it. Such a connection holds a lock on a file
 * with a write-ahead log until it is closed. Changes nothing in the file. Throws SQLite's error if it can't open the file.
 */
export function isSqliteFileInUse(file: string): boolean {
  const db = openDatabase(file, { timeout: 0, fileMustExist: true });
  try {
    // With this mode the first read locks the whole file.
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    if (/^SQLITE_(BUSY|LOCKED)/.test(errorCode(error))) return true;
    throw error;
  } finally {
    db.close();
  }
}

import { openDatabase } from '@tillstream/sqlite-driver';

/**
 * Whether any process of this machine has this SQLite file open and has read it: such a connection keeps a lock on a file
 * with a write-ahead log until it is closed. The content stays as it is. Throws what SQLite says of a file that can't be opened.
 */
export function isSqliteFileInUse(file: string): boolean {
  const db = openDatabase(file, { timeout: 0, fileMustExist: true });
  try {
    // Set before the file is read, it makes the first read take the whole file.
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    if (/^SQLITE_(BUSY|LOCKED)/.test(String((error as { readonly code?: unknown }).code))) return true;
    throw error;
  } finally {
    db.close();
  }
}

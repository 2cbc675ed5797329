import { withFileName, openDatabase } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { CARD_BLOCK_BYTES } from '../encryption/card-block.js';
import { WRAPPED_KEY_BYTES } from '../encryption/data-key.js';
import { BOX_OVERHEAD_BYTES } from '../encryption/encrypted-box.js';
import { unavailableError } from './busy.retry.js';
import { VaultError } from '../vault.port.js';

export const CARD_BOX_BYTES = CARD_BLOCK_BYTES + BOX_OVERHEAD_BYTES;

/** `TILV`: says of a file that it is a vault. */
const APPLICATION_ID = 0x54494c56;
const FORMAT = 1;

/**
 * A row has one size from its insert to the end of time: whatever changes in it is a blob whose size can't change, which
 * SQLite overwrites where it lies. Rows are added at the end and never deleted, so that their pages are never split,
 * merged, compacted or freed, and leave no copy behind (docs/adr/0016). `master` is the version of the master key, four
 * bytes and not an integer, as those have several sizes; all zeros: the subject was destroyed. A key or card that is
 * all zeros is not there.
 */
const SCHEMA = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};

  CREATE TABLE subject (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    master BLOB NOT NULL CHECK (length(master) = 4),
    card_key BLOB NOT NULL CHECK (length(card_key) = ${WRAPPED_KEY_BYTES}),
    personal_key BLOB NOT NULL CHECK (length(personal_key) = ${WRAPPED_KEY_BYTES}),
    card BLOB NOT NULL CHECK (length(card) = ${CARD_BOX_BYTES})
  );
  CREATE INDEX subject_master ON subject (master);
  CREATE TRIGGER subject_is_never_deleted BEFORE DELETE ON subject
    BEGIN SELECT RAISE(ABORT, 'subjects are never deleted'); END;
  CREATE TRIGGER destroyed_is_destroyed BEFORE UPDATE ON subject WHEN OLD.master = x'00000000'
    BEGIN SELECT RAISE(ABORT, 'this subject was destroyed'); END;
  CREATE TRIGGER a_row_keeps_its_name BEFORE UPDATE OF id, name ON subject
    BEGIN SELECT RAISE(ABORT, 'a row keeps its name'); END;

  CREATE TABLE master_key (
    version INTEGER PRIMARY KEY,
    check_value BLOB NOT NULL UNIQUE,
    registered_at TEXT NOT NULL,
    retired_at TEXT
  );
`;

/** How long a call may stop this thread to wait for another process. What takes longer is waited for without that. */
const BLOCKED_MS_MAX = 5;

/** One connection to a vault's file, which is made if it is missing. @throws VaultError where the file is something else. */
export class VaultDatabase {
  readonly sqlite: Database.Database;
  private readonly beginReading: Database.Statement;
  private readonly begin: Database.Statement;
  private readonly commit: Database.Statement;
  private readonly rollback: Database.Statement;

  constructor(readonly file: string) {
    makeForOwnerOnly(file);
    this.sqlite = openDatabase(file, { timeout: BLOCKED_MS_MAX }, (sqlite) => {
      // Before anything is written: it may be somebody else's file.
      isNew(sqlite, file);
      sqlite.pragma('journal_mode = WAL');
      // What was acknowledged is on the disk, and so is what was destroyed.
      sqlite.pragma('synchronous = FULL');
      sqlite.pragma('secure_delete = ON');
      // Nothing of a statement or a sort goes to a file of its own.
      sqlite.pragma('temp_store = MEMORY');
    });
    this.beginReading = this.sqlite.prepare('BEGIN');
    this.begin = this.sqlite.prepare('BEGIN IMMEDIATE');
    this.commit = this.sqlite.prepare('COMMIT');
    this.rollback = this.sqlite.prepare('ROLLBACK');
  }

  /** Whether no vault was made here yet. @throws VaultError where the file is something else. */
  isNew(): boolean {
    return isNew(this.sqlite, this.file);
  }

  createTables(): void {
    this.sqlite.exec(SCHEMA);
  }

  /** All that `work` reads is of one instant. */
  inSnapshot<T>(work: () => T): T {
    return this.within(this.beginReading, work);
  }

  /** One write transaction, taken at once, so that what it reads can't change under it. */
  transaction<T>(work: () => T): T {
    return this.within(this.begin, work);
  }

  private within<T>(begin: Database.Statement, work: () => T): T {
    begin.run();
    try {
      const result = work();
      this.commit.run();
      return result;
    } catch (error) {
      if (this.sqlite.inTransaction) this.rollback.run();
      throw error;
    }
  }

  /**
   * Takes what was overwritten out of the write-ahead log: copies it into the file, then cuts the log to nothing, on the
   * disk too. False where another process is in the middle of a read or a write; it is to be tried again.
   */
  emptyLog(): boolean {
    const [result] = this.sqlite.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    if (result.busy !== 0) return false;
    // SQLite cuts the log but leaves it to the file system when that gets to the disk. Its locks are not on this file,
    // so that closing it here gives none of them up.
    const log = openSync(`${this.file}-wal`, 'r+');
    try {
      fsyncSync(log);
    } finally {
      closeSync(log);
    }
    return true;
  }

  close(): void {
    this.sqlite.close();
  }
}

/**
 * Whether `file` holds no vault yet: it is missing, or empty. Makes nothing. @throws VaultError for any other file, and
 * where it can't be read.
 */
export function isNewVault(file: string): boolean {
  // Not existsSync: what may not be looked at is not missing.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return true;
  let sqlite: Database.Database | undefined;
  try {
    sqlite = openDatabase(file, { timeout: 5_000, fileMustExist: true });
    return isNew(sqlite, file);
  } catch (error) {
    throw unavailableError(withFileName(error, file));
  } finally {
    sqlite?.close();
  }
}

/** Whether an error came from the file, and not from what was done inside its transaction. */
export function isFileError(error: unknown): boolean {
  return codeOf(error) !== undefined;
}

/** By its code, not its class: the driver has one class for a whole process, whichever of its copies was loaded first. */
function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

function isNew(sqlite: Database.Database, file: string): boolean {
  const read = (pragma: string): unknown => sqlite.pragma(pragma, { simple: true });
  let id: unknown;
  try {
    if (sqlite.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0) return true;
    id = read('application_id');
  } catch (error) {
    if (codeOf(error) !== 'SQLITE_NOTADB') throw error;
  }
  if (id !== APPLICATION_ID) throw new VaultError('Unavailable', `${file} is no vault.`);
  const format = read('user_version');
  if (format !== FORMAT) {
    throw new VaultError(
      'Unavailable',
      `${file} has format ${String(format)}; this version reads format ${FORMAT}.`,
    );
  }
  return false;
}

/** SQLite gives its log the same rights. An existing file is not touched: closing it would give up SQLite's locks. */
function makeForOwnerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

import { withFileName, openDatabase } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { CARD_BLOCK_BYTES } from '../encryption/text.encoding.js';
import { WRAPPED_KEY_BYTES } from '../encryption/data-key.js';
import { BOX_OVERHEAD_BYTES } from '../encryption/encrypted-box.js';
import { unavailableError } from '../vault.errors.js';
import { VaultError } from '../vault.port.js';

export const CARD_BOX_BYTES = CARD_BLOCK_BYTES + BOX_OVERHEAD_BYTES;

/** `TILV`: marks a file as a vault. */
const APPLICATION_ID = 0x54494c56;
const FORMAT = 1;

/**
 * A row never changes its size: every column that changes is a blob of fixed size, which SQLite overwrites in its place.
 * Rows are added at the end and never deleted. So SQLite never splits, merges, compacts or frees their pages, and leaves no
 * copy of them (docs/adr/0016). `master` is the version of the master key, as four bytes because integers have several
 * sizes; all zeros mean a destroyed subject. A key or card of zeros means that the subject has none.
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

/** Longest time that a call blocks this thread for a lock. `retryWhileBusy` waits longer without blocking. */
const BLOCKED_MS_MAX = 5;

/** One connection to a vault's file. Creates a missing file. @throws VaultError if the file is no vault */
export class VaultDatabase {
  readonly sqlite: Database.Database;
  private readonly beginReading: Database.Statement;
  private readonly begin: Database.Statement;
  private readonly commit: Database.Statement;
  private readonly rollback: Database.Statement;

  constructor(readonly file: string) {
    createForOwnerOnly(file);
    this.sqlite = openDatabase(file, { timeout: BLOCKED_MS_MAX }, (sqlite) => {
      // Checked before any write: the file may belong to another program.
      isNew(sqlite, file);
      sqlite.pragma('journal_mode = WAL');
      // Acknowledged writes and destructions are on the disk.
      sqlite.pragma('synchronous = FULL');
      sqlite.pragma('secure_delete = ON');
      // SQLite writes no temporary files.
      sqlite.pragma('temp_store = MEMORY');
    });
    this.beginReading = this.sqlite.prepare('BEGIN');
    this.begin = this.sqlite.prepare('BEGIN IMMEDIATE');
    this.commit = this.sqlite.prepare('COMMIT');
    this.rollback = this.sqlite.prepare('ROLLBACK');
  }

  /** Whether the file is empty. @throws VaultError if it is no vault */
  isNew(): boolean {
    return isNew(this.sqlite, this.file);
  }

  createTables(): void {
    this.sqlite.exec(SCHEMA);
  }

  /** Runs `work` in one read transaction. */
  inSnapshot<T>(work: () => T): T {
    return this.within(this.beginReading, work);
  }

  /** Runs `work` in one write transaction. It takes the lock first, so that the rows it reads can't change. */
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
   * Removes overwritten bytes from the write-ahead log: copies the log into the file, then truncates it, also on the disk.
   * False if another process is reading or writing; the caller then repeats it.
   */
  emptyLog(): boolean {
    const [result] = this.sqlite.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    if (result.busy !== 0) return false;
    // SQLite truncates the log, but the file system decides when this reaches the disk. SQLite holds no locks on the log,
    // so that closing it here releases none.
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
 * Whether `file` is missing or empty, so that a vault can be created there. Creates nothing.
 * @throws VaultError for any other file, and if the file can't be read
 */
export function isNewVault(file: string): boolean {
  return inspectVault(file, () => false) ?? true;
}

/**
 * Whether a card or a key was ever stored in this vault, destroyed ones included. Creates nothing.
 * @throws VaultError if the file can't be read or is no vault
 */
export function isVaultUsed(file: string): boolean {
  const findSubject = (sqlite: Database.Database) => sqlite.prepare('SELECT 1 FROM subject LIMIT 1').get();
  return inspectVault(file, (sqlite) => findSubject(sqlite) !== undefined) ?? false;
}

/** Undefined if the file is missing or empty. */
function inspectVault<T>(file: string, read: (sqlite: Database.Database) => T): T | undefined {
  // Not `existsSync`: it calls a file without access rights missing.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  let sqlite: Database.Database | undefined;
  try {
    sqlite = openDatabase(file, { timeout: 5_000, fileMustExist: true });
    return isNew(sqlite, file) ? undefined : read(sqlite);
  } catch (error) {
    throw unavailableError(withFileName(error, file));
  } finally {
    sqlite?.close();
  }
}

/** Whether the error comes from SQLite, and not from the work inside the transaction. */
export function isFileError(error: unknown): boolean {
  return codeOf(error) !== undefined;
}

/** SQLite's code of the error. The class does not identify it, because each copy of the driver has its own. */
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

/** SQLite gives its log the same rights. An existing file is not opened: closing it would release SQLite's locks. */
function createForOwnerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

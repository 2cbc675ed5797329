import { errorMessage } from '@tillstream/runtime';
import { openDatabase, enableWriteAheadLog } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { BANK_TABLES } from '../bank/bank.tables.js';
import { NothingExecuted } from '../sandbox.errors.js';

/**
 * WITHOUT ROWID, because keys grow with time: both tables grow at their end, with one tree each instead of two. `movement`
 * is append-only and has each key once: the file itself refuses to charge twice.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS operation (
    key TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    operation TEXT,
    merchant TEXT,
    currency TEXT,
    amount INTEGER,
    channel TEXT,
    original TEXT,
    root TEXT,
    terminal TEXT,
    answer TEXT,
    silent INTEGER NOT NULL DEFAULT 0,
    failing_inquiries INTEGER NOT NULL DEFAULT 0,
    batch_closed INTEGER NOT NULL DEFAULT 0,
    received_at INTEGER NOT NULL,
    due_at INTEGER,
    network TEXT,
    card TEXT,
    card_expiry TEXT,
    account TEXT
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS operation_due ON operation (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS operation_verify ON operation (key) WHERE operation = 'Verify';

  CREATE TABLE IF NOT EXISTS movement (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    root TEXT NOT NULL,
    original TEXT,
    merchant TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS movement_original ON movement (original) WHERE original IS NOT NULL;
  CREATE INDEX IF NOT EXISTS movement_root ON movement (root) WHERE original IS NOT NULL;
  CREATE TRIGGER IF NOT EXISTS movement_no_update BEFORE UPDATE ON movement
    BEGIN SELECT RAISE(ABORT, 'movements are append-only'); END;
  CREATE TRIGGER IF NOT EXISTS movement_no_delete BEFORE DELETE ON movement
    BEGIN SELECT RAISE(ABORT, 'movements are append-only'); END;

  CREATE TABLE IF NOT EXISTS terminal (
    id TEXT PRIMARY KEY,
    mode TEXT NOT NULL DEFAULT 'Auto',
    card TEXT,
    busy_key TEXT,
    busy_until INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS visit (
    terminal TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    step TEXT NOT NULL,
    until INTEGER NOT NULL,
    chip_read_at INTEGER,
    card TEXT,
    entry_mode TEXT,
    ended TEXT
  ) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS authentication (
    key TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    challenge TEXT,
    facts TEXT NOT NULL,
    merchant TEXT,
    amount INTEGER,
    currency TEXT,
    card TEXT,
    expires_at INTEGER
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS authentication_challenge ON authentication (challenge) WHERE challenge IS NOT NULL;

  CREATE TABLE IF NOT EXISTS clock (only INTEGER PRIMARY KEY CHECK (only = 1), offset_ms INTEGER NOT NULL);
  INSERT OR IGNORE INTO clock VALUES (1, 0);
${BANK_TABLES}`;

/** Columns of `operation` that an older file gets when it is opened. */
const LATER_COLUMNS = ['network', 'card', 'card_expiry', 'account'];

/** Stored in the file when its schema is complete. It changes with the schema. */
const SCHEMA_FINGERPRINT = createHash('sha256')
  .update(SCHEMA + String(LATER_COLUMNS))
  .digest()
  .readInt32BE();

/** How long a transaction waits for another process. */
const BUSY_TIMEOUT_MS = 5_000;

/** One file, opened by any number of processes. Every decision is made inside `transaction`. */
export class SandboxDatabase {
  readonly sqlite: Database.Database;
  private readonly begin: Database.Statement;
  private readonly commit: Database.Statement;
  private readonly rollback: Database.Statement;
  private readonly savepoint: Database.Statement;
  private readonly rollbackToSavepoint: Database.Statement;
  private readonly release: Database.Statement;
  /** `runTogether` is running: `transaction` takes part in its transaction. */
  private isShared = false;

  constructor(file: string) {
    this.sqlite = openDatabase(file, { timeout: BUSY_TIMEOUT_MS }, (db) =>
      enableWriteAheadLog(db, BUSY_TIMEOUT_MS),
    );
    // A commit is in the operating system's cache before it returns: a killed process loses no acknowledged request. Only a
    // power cut can damage the file. Simulated money is not worth an fsync that blocks the caller (docs/adr/0012).
    this.sqlite.pragma('synchronous = OFF');
    this.begin = this.sqlite.prepare('BEGIN IMMEDIATE');
    this.commit = this.sqlite.prepare('COMMIT');
    this.rollback = this.sqlite.prepare('ROLLBACK');
    this.savepoint = this.sqlite.prepare('SAVEPOINT one');
    this.rollbackToSavepoint = this.sqlite.prepare('ROLLBACK TO one');
    this.release = this.sqlite.prepare('RELEASE one');
    // A start with a complete schema takes no lock, so that it does not wait for other processes.
    if (this.sqlite.pragma('user_version', { simple: true }) !== SCHEMA_FINGERPRINT) {
      this.transaction(() => this.makeTables());
    }
  }

  /**
   * Runs `work` in a write transaction. It takes the write lock first, so that no other process changes what `work` reads.
   * @throws NothingExecuted if it failed before the commit; an error of the commit itself is thrown unchanged
   */
  transaction<T>(work: () => T): T {
    if (this.isShared) return work();
    let result: T;
    try {
      this.begin.run();
      result = work();
    } catch (error) {
      this.abandon();
      throw new NothingExecuted(error);
    }
    try {
      this.commit.run();
    } catch (error) {
      this.abandon();
      throw error;
    }
    return result;
  }

  /**
   * Runs all works in one transaction, in order, and returns the result or error that `transaction` would have had for
   * each. A failed work is rolled back alone; a failed commit is the error of all.
   */
  runTogether<T>(works: readonly (() => T)[]): PromiseSettledResult<T>[] {
    try {
      return this.transaction(() => {
        this.isShared = true;
        return works.map((work) => this.inSavepoint(work));
      });
    } catch (reason) {
      return works.map(() => ({ status: 'rejected', reason }));
    } finally {
      this.isShared = false;
    }
  }

  /** Returns the result of `work`, and rolls all its writes back. */
  dryRun<T>(work: () => T): T {
    this.begin.run();
    try {
      return work();
    } finally {
      this.abandon();
    }
  }

  /** Why the file can't be written now; undefined if a write succeeded (it is rolled back). */
  unavailableReason(): string | undefined {
    try {
      this.dryRun(() => this.sqlite.exec('UPDATE clock SET offset_ms = offset_ms'));
      return undefined;
    } catch (error) {
      return `the ledger can not be written: ${errorMessage(error)}`;
    }
  }

  close(): void {
    this.sqlite.close();
  }

  /** Inside a write transaction, so that two processes never add the same column. */
  private makeTables(): void {
    this.sqlite.exec(SCHEMA);
    const names = this.sqlite.prepare(`SELECT name FROM pragma_table_info('operation')`).pluck().all();
    for (const column of LATER_COLUMNS.filter((name) => !names.includes(name))) {
      this.sqlite.exec(`ALTER TABLE operation ADD COLUMN ${column} TEXT`);
    }
    this.sqlite.pragma(`user_version = ${SCHEMA_FINGERPRINT}`);
  }

  private inSavepoint<T>(work: () => T): PromiseSettledResult<T> {
    this.savepoint.run();
    try {
      const value = work();
      this.release.run();
      return { status: 'fulfilled', value };
    } catch (error) {
      // SQLite itself rolls the whole transaction back when the disk is full.
      if (!this.sqlite.inTransaction) throw error;
      this.rollbackToSavepoint.run();
      this.release.run();
      return { status: 'rejected', reason: new NothingExecuted(error) };
    }
  }

  private abandon(): void {
    if (this.sqlite.open && this.sqlite.inTransaction) this.rollback.run();
  }
}

/** A row as the object that was stored: an empty column is a missing field. */
export function withoutNulls<Stored extends object>(row: object): Stored {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Stored;
}

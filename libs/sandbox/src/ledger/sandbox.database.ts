import { openDatabase, enableWriteAheadLog } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { NothingExecuted } from '../sandbox.errors.js';

/**
 * Rows WITHOUT ROWID: keys are made in the order of time, so both tables grow at their end, with one tree each instead
 * of two. `movement` is append-only and holds a key once: the file itself refuses to charge twice.
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

  CREATE TABLE IF NOT EXISTS clock (only INTEGER PRIMARY KEY CHECK (only = 1), offset_ms INTEGER NOT NULL);
  INSERT OR IGNORE INTO clock VALUES (1, 0);
`;

/** Of the table of operations: a file that was made before them gets them when it is opened. */
const LATER_COLUMNS = ['network', 'card', 'card_expiry', 'account'];

/** Kept in the file that has all this: another number with every change of it. */
const SCHEMA_FINGERPRINT = createHash('sha256')
  .update(SCHEMA + String(LATER_COLUMNS))
  .digest()
  .readInt32BE();

/** How long another process may keep the file from us. */
const BUSY_TIMEOUT_MS = 5_000;

/** One file, opened by any number of processes. Everything is decided inside `inSnapshot`. */
export class SandboxDatabase {
  readonly sqlite: Database.Database;
  private readonly begin: Database.Statement;
  private readonly commit: Database.Statement;
  private readonly rollback: Database.Statement;
  /** The transaction that is open belongs to several works. */
  private isShared = false;
  private begun = 0;
  private readonly setApart: Database.Statement;
  private readonly takeBack: Database.Statement;
  private readonly keep: Database.Statement;

  constructor(file: string) {
    this.sqlite = openDatabase(file, { timeout: BUSY_TIMEOUT_MS }, (db) =>
      enableWriteAheadLog(db, BUSY_TIMEOUT_MS),
    );
    // A commit is in the operating system's hands before it returns: a killed process loses nothing acknowledged, and
    // nothing here ever waits for the disk. Only a power cut can damage the file: books of money that never was are not
    // worth an fsync that stops whoever calls (docs/adr/0012).
    this.sqlite.pragma('synchronous = OFF');
    this.begin = this.sqlite.prepare('BEGIN IMMEDIATE');
    this.commit = this.sqlite.prepare('COMMIT');
    this.rollback = this.sqlite.prepare('ROLLBACK');
    this.setApart = this.sqlite.prepare('SAVEPOINT one');
    this.takeBack = this.sqlite.prepare('ROLLBACK TO one');
    this.keep = this.sqlite.prepare('RELEASE one');
    // The usual start finds all done: it needs no lock, and does not wait for those who sell.
    if (this.layout() !== SCHEMA_FINGERPRINT) this.transaction(() => this.makeTables());
  }

  /**
   * One write transaction, taken at once, so that what it reads can't change under it. Within `together` it is a part of
   * that one, which tells what came of it.
   * @throws NothingExecuted where it failed before the commit; an error of the commit itself is thrown as it is.
   */
  transaction<T>(work: () => T): T {
    if (this.isShared) return work();
    let result: T;
    try {
      this.enter();
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
   * All of them in one transaction, in their order, and what `inSnapshot` would have given or thrown for each: a commit
   * costs as much for many as for one. One that fails is taken back alone; a commit that fails is that of all. Where one
   * fails all of them run twice.
   */
  runTogether<T>(works: readonly (() => T)[]): PromiseSettledResult<T>[] {
    let hasFailed = false;
    const hoped = (work: () => T): PromiseSettledResult<T> => {
      try {
        return { status: 'fulfilled', value: work() };
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    };
    // Hardly ever one fails: a savepoint for each would be for nothing.
    const results = this.allOf(works, hoped);
    return hasFailed ? this.allOf(works, (work) => this.apart(work)) : results;
  }

  /** What `work` would give: all that it wrote is taken back. */
  dryRun<T>(work: () => T): T {
    this.enter();
    try {
      return work();
    } finally {
      this.abandon();
    }
  }

  /** Which transaction is open, of this connection; undefined where none is. What one has read only itself can change. */
  get openTransaction(): number | undefined {
    return this.sqlite.inTransaction ? this.begun : undefined;
  }

  /** Why it can't be written now; undefined where it can, as far as one can tell without writing. */
  unavailableReason(): string | undefined {
    try {
      this.dryRun(() => this.sqlite.exec('UPDATE clock SET offset_ms = offset_ms'));
      return undefined;
    } catch (error) {
      return `the books can not be written: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  close(): void {
    this.sqlite.close();
  }

  private layout(): unknown {
    return this.sqlite.pragma('user_version', { simple: true });
  }

  /** Inside the transaction that takes the file: two processes never add the same. */
  private makeTables(): void {
    this.sqlite.exec(SCHEMA);
    this.addLaterColumns();
    this.sqlite.pragma(`user_version = ${SCHEMA_FINGERPRINT}`);
  }

  private addLaterColumns(): void {
    const there = this.sqlite.prepare<[], string>(`SELECT name FROM pragma_table_info('operation')`).pluck();
    const names = new Set(there.all());
    for (const column of LATER_COLUMNS.filter((name) => !names.has(name))) {
      this.sqlite.exec(`ALTER TABLE operation ADD COLUMN ${column} TEXT`);
    }
  }

  private allOf<T>(
    works: readonly (() => T)[],
    settled: (work: () => T) => PromiseSettledResult<T>,
  ): PromiseSettledResult<T>[] {
    try {
      return this.transaction(() => this.shared(() => works.map(settled)));
    } catch (reason) {
      return works.map(() => ({ status: 'rejected', reason }));
    }
  }

  private shared<T>(works: () => T): T {
    this.isShared = true;
    try {
      return works();
    } finally {
      this.isShared = false;
    }
  }

  private apart<T>(work: () => T): PromiseSettledResult<T> {
    this.setApart.run();
    try {
      const value = work();
      this.keep.run();
      return { status: 'fulfilled', value };
    } catch (error) {
      // A disk that is full takes the whole transaction back by itself.
      if (!this.sqlite.inTransaction) throw error;
      this.takeBack.run();
      this.keep.run();
      return { status: 'rejected', reason: new NothingExecuted(error) };
    }
  }

  private enter(): void {
    this.begin.run();
    this.begun += 1;
  }

  private abandon(): void {
    if (this.sqlite.open && this.sqlite.inTransaction) this.rollback.run();
  }
}

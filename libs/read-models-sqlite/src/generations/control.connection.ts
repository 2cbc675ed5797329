import { mkdirSync } from 'node:fs';
import type { Compilable, Kysely } from 'kysely';
import { withFileName } from '@tillstream/sqlite-driver';
import { openCheckedControlFile, replaceDamagedControl } from '../damage/control.recovery.js';
import { isDamage, isFileAccess, type DamageLog } from '../damage/file.damage.js';
import { compiler, dataVersion, StatementCache, type ControlTables } from '../tables/sqlite.dialect.js';
import { inodeOf, type ControlFile } from './control.file.js';

/** How soon a process notices that another one has replaced a damaged control database. */
const POLL_INTERVAL_MS = 250;

/** A connection to the control database that replaces the file if it is damaged. Blocking. */
export class ControlConnection {
  /** Builds the statements of `all` and `run`. */
  readonly build: Kysely<ControlTables> = compiler();
  #file: ControlFile;
  #statements: StatementCache;
  #ownChanges = 0;
  #reopens = 0;
  #polledAt = performance.now();
  #isRecovering = false;

  /** @param log enables recovery: damaged files are set aside and reported in it. If undefined, damage is thrown */
  constructor(
    readonly directory: string,
    protected readonly log: DamageLog | undefined,
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#file = openCheckedControlFile(directory, log);
    this.#statements = new StatementCache(this.#file.db);
  }

  get setsDamagedAside(): boolean {
    return this.log !== undefined;
  }

  /** A different text after each change by any connection. Takes some microseconds. */
  version(): string {
    return this.#withRecovery(() => {
      this.#reopenIfReplaced();
      return `${this.#reopens}.${dataVersion(this.#file.db)}.${this.#ownChanges}`;
    });
  }

  all<Row>(query: Compilable): Row[] {
    return this.#withRecovery(() => this.#statements.all<Row>(query));
  }

  /** @returns the number of rows that the statement changed */
  run(statement: Compilable): number {
    this.#ownChanges += 1;
    return this.#withRecovery(() => this.#statements.run(statement));
  }

  /** No other connection writes while `work` runs. */
  inTransaction<T>(work: () => T): T {
    try {
      return this.#withRecovery(() => this.#file.db.transaction(work).immediate());
    } finally {
      // After a rollback, what `work` read is no longer true.
      this.#ownChanges += 1;
    }
  }

  close(): void {
    this.#file.db.close();
  }

  /** Replaces a damaged control database and repeats `work` once. Of nested calls only the outermost does so. */
  #withRecovery<T>(work: () => T): T {
    if (this.#isRecovering) return work();
    this.#isRecovering = true;
    try {
      return work();
    } catch (error) {
      if (!isDamage(error) && !isFileAccess(error)) throw error;
      if (!this.log) throw withFileName(error, this.#file.path);
      replaceDamagedControl(this.directory, this.log);
      this.#reopen();
      return work();
    } finally {
      this.#isRecovering = false;
    }
  }

  /** If another process has replaced a damaged file, this connection has the old file open, which no longer changes. */
  #reopenIfReplaced(): void {
    const now = performance.now();
    const { path, db, inode } = this.#file;
    if (now < this.#polledAt + POLL_INTERVAL_MS || db.inTransaction) return;
    this.#polledAt = now;
    const current = inodeOf(path);
    if (current !== undefined && current !== inode) this.#reopen();
  }

  #reopen(): void {
    const old = this.#file;
    this.#file = openCheckedControlFile(this.directory, this.log);
    this.#statements = new StatementCache(this.#file.db);
    this.#reopens += 1;
    old.db.close();
  }
}

import { EventStoreError } from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { openReader } from '../schema.js';
import { describeFault, cannotOpenError } from '../sqlite.faults.js';
import type { SqlValue } from '../writer/write-unit.js';

const STATEMENTS_MAX = 500;

type Statement = Database.Statement<unknown[]>;

/** A connection that reads with one short statement at a time, so that SQLite can reset the write-ahead log. */
export class ReadConnection {
  readonly #db: Database.Database;
  readonly #objects: LRUCache<string, Statement>;
  readonly #tuples: LRUCache<string, Statement>;
  readonly #begin: Statement;
  readonly #commit: Statement;

  /** @param cacheMb the limit of SQLite's own cache, MiB; SQLite allocates it when needed */
  constructor(file: string, readOnly: boolean, cacheMb: number) {
    try {
      this.#db = openReader(file, readOnly);
    } catch (error) {
      throw cannotOpenError(error, file);
    }
    this.#db.pragma(`cache_size = -${cacheMb * 1024}`);
    this.#objects = new LRUCache({ max: STATEMENTS_MAX, memoMethod: (sql) => this.#db.prepare(sql) });
    this.#tuples = new LRUCache({ max: STATEMENTS_MAX, memoMethod: (sql) => this.#db.prepare(sql).raw() });
    this.#begin = this.#db.prepare('BEGIN');
    this.#commit = this.#db.prepare('COMMIT');
  }

  /** The rows of one SELECT, as objects. Throws `EventStoreError` `Unavailable` if the file can't be read. */
  query<Row>(sql: string, params: readonly SqlValue[]): Row[] {
    return this.#read(this.#objects, sql, params) as Row[];
  }

  /** The same, with each row as an array of its values. */
  queryTuples<Row extends readonly unknown[]>(sql: string, params: readonly SqlValue[]): Row[] {
    return this.#read(this.#tuples, sql, params) as Row[];
  }

  /** Runs `work` in one read transaction: all its reads see the same state. */
  inSnapshot<T>(work: () => T): T {
    this.#begin.run();
    try {
      return work();
    } finally {
      if (this.#db.inTransaction) this.#commit.run();
    }
  }

  close(): void {
    this.#objects.clear();
    this.#tuples.clear();
    this.#db.close();
  }

  #read(statements: LRUCache<string, Statement>, sql: string, params: readonly SqlValue[]): unknown[] {
    if (!this.#db.open) throw new EventStoreError('Unavailable', 'the store is closed');
    try {
      return statements.memo(sql).all(...params);
    } catch (error) {
      throw new EventStoreError('Unavailable', describeFault(error), { cause: error });
    }
  }
}

import { EventStoreError } from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { openReader } from '../schema.js';
import { describeFault, cannotOpenError } from '../sqlite.faults.js';
import type { SqlValue } from '../writer/write-unit.js';

const STATEMENTS_MAX = 500;

type Statement = Database.Statement<unknown[]>;

/** A connection that reads, one short statement at a time, so that the write-ahead log can be reset. */
export class ReadConnection {
  readonly #db: Database.Database;
  readonly #objects = new Map<string, Statement>();
  readonly #tuples = new Map<string, Statement>();
  readonly #begin: Statement;
  readonly #commit: Statement;

  /** @param cacheMb of SQLite's own cache at most, in MiB; it is taken as it is needed. */
  constructor(file: string, mustNotTouch: boolean, cacheMb: number) {
    try {
      this.#db = openReader(file, mustNotTouch);
    } catch (error) {
      throw cannotOpenError(error, file);
    }
    this.#db.pragma(`cache_size = -${cacheMb * 1024}`);
    this.#begin = this.#db.prepare('BEGIN');
    this.#commit = this.#db.prepare('COMMIT');
  }

  /** The rows of one SELECT; its statement is kept. Throws `EventStoreError` `Unavailable` when the file can't be read. */
  query<Row>(sql: string, params: readonly SqlValue[]): Row[] {
    return this.#read(this.#objects, sql, params, (statement) => statement) as Row[];
  }

  /** The same, with each row as a list of its values. */
  queryTuples<Row extends readonly unknown[]>(sql: string, params: readonly SqlValue[]): Row[] {
    return this.#read(this.#tuples, sql, params, (statement) => statement.raw()) as Row[];
  }

  /** All that `work` reads is of one instant. */
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

  #read(
    statements: Map<string, Statement>,
    sql: string,
    params: readonly SqlValue[],
    asWanted: (statement: Statement) => Statement,
  ): unknown[] {
    if (!this.#db.open) throw new EventStoreError('Unavailable', 'the store is closed');
    try {
      let statement = statements.get(sql);
      if (statement === undefined) {
        if (statements.size >= STATEMENTS_MAX) statements.clear();
        statement = asWanted(this.#db.prepare(sql));
        statements.set(sql, statement);
      }
      return statement.all(...params);
    } catch (error) {
      throw new EventStoreError('Unavailable', describeFault(error), { cause: error });
    }
  }
}

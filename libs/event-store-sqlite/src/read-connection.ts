import { EventStoreError } from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { openReader } from './schema.js';
import { describeFault } from './sqlite.faults.js';
import type { SqlValue } from './unit.js';

const MOST_STATEMENTS = 500;

/** A connection that reads, one short statement at a time, so that the write-ahead log can be reset. */
export class ReadConnection {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();

  /** @param cacheMb of SQLite's own cache at most, in MiB; it is taken as it is needed. */
  constructor(file: string, mustNotTouch: boolean, cacheMb: number) {
    try {
      this.#db = openReader(file, mustNotTouch);
    } catch (error) {
      if (error instanceof EventStoreError) throw error;
      throw new EventStoreError('Unavailable', `${file} can't be opened: ${describeFault(error)}`, {
        cause: error,
      });
    }
    this.#db.pragma(`cache_size = -${cacheMb * 1024}`);
  }

  /** The rows of one SELECT; its statement is kept. Throws `EventStoreError` `Unavailable` when the file can't be read. */
  query<Row>(sql: string, params: readonly SqlValue[]): Row[] {
    if (!this.#db.open) throw new EventStoreError('Unavailable', 'the store is closed');
    try {
      let statement = this.#statements.get(sql);
      if (statement === undefined) {
        if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
        statement = this.#db.prepare(sql);
        this.#statements.set(sql, statement);
      }
      return statement.all(...params) as Row[];
    } catch (error) {
      throw new EventStoreError('Unavailable', describeFault(error), { cause: error });
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}

import {
  checkStream,
  EventStoreError,
  pageSize,
  placeOf,
  positionOf,
  readFrom,
  type AllPage,
  type HeadsPage,
  type ReadAll,
  type ReadStream,
  type StreamPage,
} from '@tillstream/event-store';
import type Database from 'better-sqlite3';
import { EVENT_COLUMNS, eventOf, HEAD_COLUMNS, headOf, type EventRow, type HeadRow } from './event-row.js';
import { openReader } from './schema.js';
import { describeFault } from './sqlite.faults.js';
import type { SqlValue } from './unit.js';

const MOST_STATEMENTS = 500;

/** Reads on a connection of its own, one short statement at a time, so that the write-ahead log can be reset. */
export class EventReader {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();

  constructor(file: string, mustNotTouch: boolean) {
    try {
      this.#db = openReader(file, mustNotTouch);
    } catch (error) {
      if (error instanceof EventStoreError) throw error;
      throw new EventStoreError('Unavailable', `${file} can't be opened: ${describeFault(error)}`, {
        cause: error,
      });
    }
  }

  readStream(stream: string, options: ReadStream): StreamPage {
    checkStream(stream);
    const limit = pageSize(options.limit);
    const backwards = options.direction === 'backwards';
    const from = readFrom(options.from) ?? (backwards ? Number.MAX_SAFE_INTEGER : 0);
    const order = backwards ? 'revision <= ? ORDER BY revision DESC' : 'revision >= ? ORDER BY revision';
    // One more than asked for tells whether the page is the last. The limit is part of the text: SQLite plans a
    // statement anew each time a bound limit changes, which costs more than the read.
    const rows = this.query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND ${order} LIMIT ${limit + 1}`,
      [stream, from],
    );
    return { events: rows.slice(0, limit).map(eventOf), end: rows.length <= limit };
  }

  readAll(options: ReadAll): AllPage {
    const { rows, ...place } = this.#all<EventRow>(EVENT_COLUMNS, options);
    return { events: rows.map(eventOf), ...place };
  }

  readHeads(options: ReadAll): HeadsPage {
    const { rows, ...place } = this.#all<HeadRow>(HEAD_COLUMNS, options);
    return { heads: rows.map(headOf), ...place };
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

  /** Another number after every commit of another connection, of this process or others. */
  dataVersion(): number {
    return this.query<{ data_version: number }>('PRAGMA data_version', [])[0]?.data_version ?? 0;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #all<Row extends HeadRow>(
    columns: string,
    options: ReadAll,
  ): { readonly rows: readonly Row[] } & Pick<AllPage, 'next' | 'end'> {
    const limit = pageSize(options.limit);
    const after = placeOf(options.after);
    // Read first: what is committed after it belongs to the next page, whichever categories are asked for.
    const head = Math.max(this.#head(), after);
    const rows = head === after ? [] : this.#page<Row>(columns, options.categories, after, head, limit);
    const last = rows.length < limit ? head : (rows.at(-1)?.position ?? head);
    return { rows, ...(last === 0 ? {} : { next: positionOf(last) }), end: last === head };
  }

  #head(): number {
    return this.query<{ head: number | null }>('SELECT max(position) AS head FROM events', [])[0]?.head ?? 0;
  }

  /** Several categories: one ordered index scan for each, merged by SQLite as they run. */
  #page<Row>(
    columns: string,
    categories: readonly string[] | undefined,
    after: number,
    head: number,
    limit: number,
  ): Row[] {
    const range = 'position > ? AND position <= ?';
    if (categories === undefined) {
      const sql = `SELECT ${columns} FROM events WHERE ${range} ORDER BY position LIMIT ${limit}`;
      return this.query<Row>(sql, [after, head]);
    }
    const wanted = [...new Set(categories)];
    if (wanted.length === 0) return [];
    const scans = wanted.map(() => `SELECT ${columns} FROM events WHERE category = ? AND ${range}`);
    const sql = `${scans.join(' UNION ALL ')} ORDER BY position LIMIT ${limit}`;
    return this.query<Row>(
      sql,
      wanted.flatMap((category) => [category, after, head]),
    );
  }
}

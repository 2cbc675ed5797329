import {
  checkStreamName,
  checkedPageSize,
  positionNumber,
  positionFromNumber,
  checkedFromRevision,
  type AllPage,
  type HeadersPage,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StreamPage,
} from '@tillstream/event-store';
import {
  EVENT_COLUMNS,
  toRecordedEvent,
  HEADER_COLUMNS,
  toEventHeader,
  type EventRow,
  type HeaderRow,
} from './event-row.js';
import { ReadConnection } from './read-connection.js';
import type { SqlValue } from '../writer/write-unit.js';

/**
 * Holds what is above the leaves of the trees of a file with a million payments, between which streams are found; what is
 * read in order would only drive it out. With 64 MB a payment of a million took 5 % longer: a page that is used again soon
 * still lies in the processor's own cache.
 */
const STREAMS_CACHE_MB = 20;
/** What is read in order is read once. */
const PAGES_CACHE_MB = 2;

/** Reads on connections of its own: one for streams, found here and there, and one for all events, in their order. */
export class EventReader {
  readonly #streams: ReadConnection;
  readonly #pages: ReadConnection;

  constructor(file: string, mustNotTouch: boolean) {
    this.#streams = new ReadConnection(file, mustNotTouch, STREAMS_CACHE_MB);
    try {
      this.#pages = new ReadConnection(file, mustNotTouch, PAGES_CACHE_MB);
    } catch (error) {
      this.#streams.close();
      throw error;
    }
  }

  readStream(stream: string, options: ReadStreamOptions): StreamPage {
    checkStreamName(stream);
    const limit = checkedPageSize(options.limit);
    const backwards = options.direction === 'backwards';
    const from = checkedFromRevision(options.from) ?? (backwards ? Number.MAX_SAFE_INTEGER : 0);
    const order = backwards ? 'revision <= ? ORDER BY revision DESC' : 'revision >= ? ORDER BY revision';
    // One more than asked for tells whether the page is the last. The limit is part of the text: SQLite plans a
    // statement anew each time a bound limit changes, which costs more than the read.
    const rows = this.#streams.queryTuples<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND ${order} LIMIT ${limit + 1}`,
      [stream, from],
    );
    return { events: rows.slice(0, limit).map(toRecordedEvent), end: rows.length <= limit };
  }

  /** What `work` reads of streams is of one instant. */
  inSnapshot<T>(work: () => T): T {
    return this.#streams.inSnapshot(work);
  }

  readAll(options: ReadAllOptions): AllPage {
    const { rows, ...place } = this.#all<EventRow>(EVENT_COLUMNS, options);
    return { events: rows.map(toRecordedEvent), ...place };
  }

  readHeaders(options: ReadAllOptions): HeadersPage {
    const { rows, ...place } = this.#all<HeaderRow>(HEADER_COLUMNS, options);
    return { headers: rows.map(toEventHeader), ...place };
  }

  /** Of the last event; undefined in an empty file. */
  head(): Position | undefined {
    const head = this.#head();
    return head === 0 ? undefined : positionFromNumber(head);
  }

  /** The rows of one SELECT; its statement is kept. Throws `EventStoreError` `Unavailable` when the file can't be read. */
  query<Row>(sql: string, params: readonly SqlValue[]): Row[] {
    return this.#streams.query<Row>(sql, params);
  }

  /** Another number after every commit of another connection, of this process or others. */
  dataVersion(): number {
    return this.query<{ data_version: number }>('PRAGMA data_version', [])[0]?.data_version ?? 0;
  }

  close(): void {
    this.#streams.close();
    this.#pages.close();
  }

  #all<Row extends readonly [position: number, ...unknown[]]>(
    columns: string,
    options: ReadAllOptions,
  ): { readonly rows: readonly Row[] } & Pick<AllPage, 'next' | 'end'> {
    const limit = checkedPageSize(options.limit);
    const after = positionNumber(options.after);
    // Read first: what is committed after it belongs to the next page, whichever categories are asked for.
    const head = Math.max(this.#head(), after);
    const rows = head === after ? [] : this.#page<Row>(columns, options.categories, after, head, limit);
    const last = rows.length < limit ? head : (rows.at(-1)?.[0] ?? head);
    return { rows, ...(last === 0 ? {} : { next: positionFromNumber(last) }), end: last === head };
  }

  #head(): number {
    return (
      this.#pages.query<{ head: number | null }>('SELECT max(position) AS head FROM events', [])[0]?.head ?? 0
    );
  }

  /** Several categories: one ordered index scan for each, merged by SQLite as they run. */
  #page<Row extends readonly unknown[]>(
    columns: string,
    categories: readonly string[] | undefined,
    after: number,
    head: number,
    limit: number,
  ): Row[] {
    const range = 'position > ? AND position <= ?';
    if (categories === undefined) {
      const sql = `SELECT ${columns} FROM events WHERE ${range} ORDER BY position LIMIT ${limit}`;
      return this.#pages.queryTuples<Row>(sql, [after, head]);
    }
    const wanted = [...new Set(categories)];
    if (wanted.length === 0) return [];
    const scans = wanted.map(() => `SELECT ${columns} FROM events WHERE category = ? AND ${range}`);
    const sql = `${scans.join(' UNION ALL ')} ORDER BY position LIMIT ${limit}`;
    return this.#pages.queryTuples<Row>(
      sql,
      wanted.flatMap((category) => [category, after, head]),
    );
  }
}

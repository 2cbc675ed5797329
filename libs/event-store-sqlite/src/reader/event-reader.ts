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

/**
 * Holds the inner nodes of the B-trees of a file with a million payments. Reads in order would evict them, so they have a
 * connection of their own. With 64 MB, reading one of a million payments took 5 % longer.
 */
const STREAMS_CACHE_MB = 20;
/** Reads in order read each page once. */
const PAGES_CACHE_MB = 2;

/** Reads on two connections: one for single streams, one for all events in order. */
export class EventReader {
  readonly streams: ReadConnection;
  readonly #pages: ReadConnection;

  constructor(file: string, readOnly: boolean) {
    this.streams = new ReadConnection(file, readOnly, STREAMS_CACHE_MB);
    try {
      this.#pages = new ReadConnection(file, readOnly, PAGES_CACHE_MB);
    } catch (error) {
      this.streams.close();
      throw error;
    }
  }

  readStream(stream: string, options: ReadStreamOptions): StreamPage {
    checkStreamName(stream);
    const limit = checkedPageSize(options.limit);
    const backwards = options.direction === 'backwards';
    const from = checkedFromRevision(options.from) ?? (backwards ? Number.MAX_SAFE_INTEGER : 0);
    const order = backwards ? 'revision <= ? ORDER BY revision DESC' : 'revision >= ? ORDER BY revision';
    // One more row than requested shows whether the page is the last. The limit is part of the SQL text: SQLite plans a
    // statement again when a bound limit changes, which costs more than the read.
    const rows = this.streams.queryTuples<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND ${order} LIMIT ${limit + 1}`,
      [stream, from],
    );
    return { events: rows.slice(0, limit).map(toRecordedEvent), end: rows.length <= limit };
  }

  readAll(options: ReadAllOptions): AllPage {
    const { rows, ...end } = this.#readPage<EventRow>(EVENT_COLUMNS, options);
    return { events: rows.map(toRecordedEvent), ...end };
  }

  readHeaders(options: ReadAllOptions): HeadersPage {
    const { rows, ...end } = this.#readPage<HeaderRow>(HEADER_COLUMNS, options);
    return { headers: rows.map(toEventHeader), ...end };
  }

  /** The position of the last event; undefined in an empty file. */
  head(): Position | undefined {
    const head = this.#head();
    return head === 0 ? undefined : positionFromNumber(head);
  }

  /** A number that changes with each commit of another connection, in any process. */
  dataVersion(): number {
    return this.streams.query<{ data_version: number }>('PRAGMA data_version', [])[0]?.data_version ?? 0;
  }

  close(): void {
    this.streams.close();
    this.#pages.close();
  }

  /** With categories, SQLite merges one ordered index scan per category. */
  #readPage<Row extends readonly [position: number, ...unknown[]]>(
    columns: string,
    options: ReadAllOptions,
  ): { readonly rows: readonly Row[] } & Pick<AllPage, 'next' | 'end'> {
    const { categories } = options;
    const limit = checkedPageSize(options.limit);
    const after = positionNumber(options.after);
    // The head is read first, so that later commits belong to the next page for all categories.
    const head = Math.max(this.#head(), after);
    const bounds = [after, head];
    const scans = categories ? [...new Set(categories)].map((category) => [...bounds, category]) : [bounds];
    const scan = `SELECT ${columns} FROM events WHERE position > ? AND position <= ?${categories ? ' AND category = ?' : ''}`;
    const sql = `${scans.map(() => scan).join(' UNION ALL ')} ORDER BY position LIMIT ${limit}`;
    const isEmpty = head === after || scans.length === 0;
    const rows = isEmpty ? [] : this.#pages.queryTuples<Row>(sql, scans.flat());
    const last = rows.length < limit ? head : (rows.at(-1)?.[0] ?? head);
    return { rows, ...(last > 0 && { next: positionFromNumber(last) }), end: last === head };
  }

  #head(): number {
    return (
      this.#pages.query<{ head: number | null }>('SELECT max(position) AS head FROM events', [])[0]?.head ?? 0
    );
  }
}

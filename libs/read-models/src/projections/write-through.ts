import { LRUCache } from 'lru-cache';
import { reasonOf } from '../read-models.errors.js';
import type { ProjectionName, ReadModelWriter, ReadModelsLog, WrittenStream } from '../read-models.types.js';
import { categoryContributions } from './projection.registry.js';
import { touchedRows } from './row.projection.js';
import type { TableRow } from './table.shape.js';

/** A row of a stream, with the revision of the last event that touched it. */
export type RowRevision = Pick<TableRow, 'id' | 'revision'>;

/** Rows of one stream in one projection. */
export interface RowSet {
  readonly projection: ProjectionName;
  readonly rows: readonly TableRow[];
  /**
   * The rows are those of later events only. They may be written only where this row has at least this revision: then the
   * rows of all earlier events are there too. Left out: the rows are those of all events.
   */
  readonly after?: RowRevision;
}

/** Writes rows into all live and announced generations. */
export interface RowSink {
  /**
   * Resolves when the rows are written, or left to the projector. @returns the sets that were not written because a
   * generation does not have their `after`
   */
  write(sets: readonly RowSet[]): Promise<readonly RowSet[]>;
}

/** Streams with fewer events are written whole: that costs less than to look for an earlier row. */
const LONG_STREAM_EVENTS = 8;
const LONG_STREAMS_MAX = 2_000;

/**
 * Makes the rows on the calling thread, which has the state. The adapter's sink writes them. Of a long stream it makes the
 * rows of the events since its last call only.
 */
export class RowWriteThrough implements ReadModelWriter {
  /** By projection and stream: the newest row that was sent, of the stream's events so far. */
  readonly #sent = new LRUCache<string, RowRevision & { readonly events: number }>({ max: LONG_STREAMS_MAX });

  constructor(
    private readonly sink: RowSink,
    private readonly log: ReadModelsLog,
  ) {}

  async writeThrough(category: string, written: WrittenStream): Promise<void> {
    try {
      const incomplete = await this.sink.write(this.#setsOf(category, written));
      if (incomplete.length === 0) return;
      for (const { projection } of incomplete) this.#sent.delete(sentKey(projection, written));
      const again = new Set(incomplete.map(({ projection }) => projection));
      await this.sink.write(
        this.#setsOf(category, written).filter(({ projection }) => again.has(projection)),
      );
    } catch (error) {
      this.log.failed('row-not-written', { stream: written.stream, reason: reasonOf(error) });
    }
  }

  #setsOf(category: string, written: WrittenStream): RowSet[] {
    return categoryContributions(category).flatMap(([projection, contribution]) => {
      const { stream, events, state } = written;
      const key = sentKey(projection, written);
      const isLong = contribution.hasManyRows === true && events.length >= LONG_STREAM_EVENTS;
      const sent = isLong ? this.#sent.get(key) : undefined;
      // None if a concurrent call has sent these events already: then the sink only looks whether their rows are there.
      const next = events.slice(sent?.events ?? 0);
      const rows = touchedRows(contribution, { stream, events: next, state });
      const newest = rows.toSorted((a, b) => b.revision - a.revision)[0] ?? sent;
      if (newest === undefined) return [];
      const { id, revision } = newest;
      if (isLong && next.length > 0) this.#sent.set(key, { id, revision, events: events.length });
      return [{ projection, rows, ...(sent && { after: { id: sent.id, revision: sent.revision } }) }];
    });
  }
}

function sentKey(projection: ProjectionName, { stream }: WrittenStream): string {
  return `${projection} ${stream}`;
}

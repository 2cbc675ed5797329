import { formatOperationId, UnknownEvent, type EventCodec, type OperationCategory } from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';
import type { WrittenEvent, WrittenStream } from '../read-models.types.js';
import type { TableRow, TableShape } from './table.shape.js';

/** The rows that events touch: by row id, the revision of the last event that touched it. */
export type TouchedRows = ReadonlyMap<string, number>;

/**
 * The rows of one category's streams in one projection. A row is a function of its stream and changes only with events
 * that touch it. So any later state gives the same row, and its revision says which of two rows is newer.
 */
export interface Contribution<State> {
  /** Undefined if the events do not say it and `state` is not given. */
  touched(stream: string, events: readonly WrittenEvent[], state?: State): TouchedRows | undefined;
  /**
   * The range of ids (both inclusive) that holds all rows of a stream, if the stream's name determines it. The write-through
   * writes a stream's rows together: if the row of the stream's last revision is there, all are.
   */
  ids?(stream: string): { readonly from: string; readonly to: string };
  /** A stream can have many rows: of a long one, the write-through sends the rows of new events only. */
  readonly hasManyRows?: boolean;
  /** Undefined if the id has no row. */
  row(state: State, id: string, revision: number): TableRow | undefined;
}

/** How streams of one category are checked and folded. Several projections can share a source. */
export interface StreamSource<State> {
  readonly category: string;
  readonly initial: State;
  /** True if a state is large and the stream is hardly ever appended to again: no state is kept in memory for later events. */
  readonly isReadAnew?: boolean;
  /** Does not fold. @throws UnknownEvent if this version does not know the event */
  check(recorded: Pick<RecordedEvent, 'type' | 'metadata'>): void;
  /** @throws UnknownEvent */
  evolve(state: State, recorded: WrittenEvent & Pick<RecordedEvent, 'metadata'>): State;
}

/** One category's part in a projection. The type of its state is erased: the contribution gets only states of the source. */
export interface ProjectionPart {
  readonly source: StreamSource<unknown>;
  readonly contribution: Contribution<unknown>;
}

export function projectionPart<State>(
  source: StreamSource<State>,
  contribution: Contribution<State>,
): ProjectionPart {
  return { source, contribution } as unknown as ProjectionPart;
}

/** A projection whose rows follow from one stream each: a folder of `projections/`, and a line of `projection.registry.ts`. */
export interface RowProjection {
  readonly shape: TableShape;
  /** One for each category that it reads. */
  readonly parts: readonly ProjectionPart[];
}

/** A source whose events `codec` decodes and `evolve` folds. */
export function streamSource<State, Event extends { readonly type: string; readonly data: object }>(
  category: string,
  initial: NoInfer<State>,
  codec: EventCodec<Event>,
  evolve: (state: State, event: Event) => State,
): StreamSource<State> {
  return {
    category,
    initial,
    check({ type, metadata }) {
      const schemaVersion = schemaVersionOf(metadata);
      if (!codec.types.includes(type) || schemaVersion < 1 || schemaVersion > codec.versionOf(type)) {
        throw new UnknownEvent(type, schemaVersion);
      }
    },
    evolve: (state, recorded) => evolve(state, decodeEvent(codec, recorded)),
  };
}

export function decodeEvent<Event extends { readonly type: string; readonly data: object }>(
  codec: EventCodec<Event>,
  { type, data, metadata }: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>,
): Event {
  return codec.decode({ type, data, schemaVersion: schemaVersionOf(metadata) });
}

/** 0, which no event has, if the metadata has none. */
function schemaVersionOf({ schemaVersion }: RecordedEvent['metadata']): number {
  return typeof schemaVersion === 'number' ? schemaVersion : 0;
}

/** The rows that the events of a stream touch, made of its state. */
export function touchedRows(
  contribution: Contribution<unknown>,
  { stream, events, state }: WrittenStream,
): TableRow[] {
  const rows: TableRow[] = [];
  for (const [id, revision] of contribution.touched(stream, events, state) ?? []) {
    const row = contribution.row(state, id, revision);
    if (row) rows.push(row);
  }
  return rows;
}

/** The operations that the events name and that have a row. */
export function touchedOperations(
  events: readonly WrittenEvent[],
  hasRow: (operationId: string) => boolean,
): Map<string, number> {
  const touched = new Map<string, number>();
  for (const { data, revision } of events) {
    const { operationId } = data;
    if (typeof operationId === 'string' && hasRow(operationId)) touched.set(operationId, revision);
  }
  return touched;
}

const NUMBER_LENGTH = 2;

/** The ids of a stream's operations: they begin alike, with the category's letter and the stream's root. */
export function operationIdRange(category: OperationCategory, stream: string): { from: string; to: string } {
  const root = stream.slice(category.length + 1);
  const from = formatOperationId({ category, root, number: 0 }).slice(0, -NUMBER_LENGTH);
  return { from, to: `${from}~` };
}

/** One row for the whole stream: every event touches it. */
export function wholeStreamRow(id: string, events: readonly WrittenEvent[]): TouchedRows {
  const last = events.at(-1);
  return new Map(last ? [[id, last.revision]] : []);
}

import { formatOperationId, UnknownEvent, type EventCodec, type OperationCategory } from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';
import type { WrittenEvent } from '../read-models.types.js';
import type { FlatRow, TableShape } from './table.shape.js';

/** Which rows events touch: the revision of the last of them that did, by the row's id. */
export type TouchedRows = ReadonlyMap<string, number>;

/**
 * The rows that streams of a category have in one projection. A row is a function of its stream, and changes only with
 * events that touch it: so it can be made from any later state just as well, and its revision tells which one is newer.
 */
export interface Contribution<State> {
  /** Undefined: only the state tells. */
  touched(stream: string, events: readonly WrittenEvent[], state?: State): TouchedRows | undefined;
  /**
   * Between which ids all rows of a stream are, where its name tells. With a row of its last revision all are there: who
   * writes through tells the whole stream.
   */
  ids?(stream: string): { readonly from: string; readonly to: string };
  /** Undefined where this id has no row. */
  row(state: State, id: string, revision: number): FlatRow | undefined;
}

/** Streams of one category, as they are folded. Several projections have rows of the same source. */
export interface StreamSource<State> {
  readonly category: string;
  readonly initial: State;
  /** @throws UnknownEvent where this version does not know the event, without folding it. */
  check(recorded: Pick<RecordedEvent, 'type' | 'metadata'>): void;
  /** @throws UnknownEvent */
  evolve(state: State, recorded: WrittenEvent & Pick<RecordedEvent, 'metadata'>): State;
}

/** Sources of different states side by side: each is given only what it made itself. */
export type AnySource = StreamSource<unknown>;

/** One category's part in a projection. */
export interface ProjectionPart {
  readonly source: AnySource;
  readonly contribution: Contribution<unknown>;
}

export function projectionPart<State>(
  source: StreamSource<State>,
  contribution: Contribution<State>,
): ProjectionPart {
  return { source, contribution } as unknown as ProjectionPart;
}

/**
 * A projection whose rows are a function of one stream each. It is a folder of `projections/`, and a line of
 * `projection.registry.ts`: nothing else has to know it.
 */
export interface RowProjection {
  readonly shape: TableShape;
  /** Of the categories that it reads, one each. */
  readonly parts: readonly ProjectionPart[];
}

export function decodeEvent<Event extends { readonly type: string; readonly data: object }>(
  codec: EventCodec<Event>,
  { type, data, metadata }: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>,
): Event {
  const { schemaVersion } = metadata;
  return codec.decode({ type, data, schemaVersion: typeof schemaVersion === 'number' ? schemaVersion : 0 });
}

/** @throws UnknownEvent */
export function checkKnownEvent(
  codec: EventCodec<{ readonly type: string; readonly data: object }>,
  { type, metadata: { schemaVersion } }: Pick<RecordedEvent, 'type' | 'metadata'>,
): void {
  const known = codec.types.includes(type) && typeof schemaVersion === 'number';
  if (!known || schemaVersion < 1 || schemaVersion > codec.versionOf(type)) {
    throw new UnknownEvent(type, typeof schemaVersion === 'number' ? schemaVersion : 0);
  }
}

/** The operations that events name, those of the service itself left out: they are no client's. */
export function touchedOperations(
  events: readonly WrittenEvent[],
  isRow: (operationId: string) => boolean,
): Map<string, number> {
  const touched = new Map<string, number>();
  for (const { data, revision } of events) {
    const { operationId } = data;
    if (typeof operationId === 'string' && isRow(operationId)) touched.set(operationId, revision);
  }
  return touched;
}

/** All operations of a stream begin alike: with its root, and the letter of its category. */
export function operationIdRange(category: OperationCategory, stream: string): { from: string; to: string } {
  const root = stream.slice(category.length + 1);
  const from = formatOperationId({ category, root, number: 0 }).slice(0, -NUMBER_LENGTH);
  return { from, to: `${from}~` };
}
const NUMBER_LENGTH = 2;

/** A row for the whole stream: every event touches it. */
export function wholeStreamRow(id: string, events: readonly WrittenEvent[]): TouchedRows {
  const last = events.at(-1);
  return new Map(last ? [[id, last.revision]] : []);
}

import {
  streamCategory,
  historyWitness,
  type AllPage,
  type EventStore,
  type HistoryWitness,
  type Position,
  type RecordedEvent,
} from '@tillstream/event-store';
import type { ProjectionName } from '../read-models.types.js';
import { projectionParts } from './projection.registry.js';
import type { ProjectionPart, TouchedRows } from './row.projection.js';
import type { StateCache } from './state.cache.js';
import type { FlatRow } from './table.shape.js';

/** The rows of a page of history. */
export interface RowsPage {
  readonly rows: readonly FlatRow[];
  /** The checkpoint behind it; undefined in an empty store. */
  readonly next: Position | undefined;
  readonly events: number;
  /** The last of them. */
  readonly witness: HistoryWitness | undefined;
  /** All that was in the store before the page was read has been handled with it. */
  readonly end: boolean;
}

/**
 * Reads and folds the next page. `streamExists` tells which rows need not be made; left out: none is there. Throws what folding
 * throws (`UnknownEvent`), and the store's errors.
 */
export async function readRowsPage(
  store: Pick<EventStore, 'readAll'>,
  projection: ProjectionName,
  states: StateCache,
  from: {
    readonly position: Position | undefined;
    /** Events read at once, 1 to 1000. */
    readonly limit: number;
    readonly isThere?: (touched: TouchedRows) => boolean;
  },
): Promise<RowsPage> {
  const parts = projectionParts(projection);
  const { position, limit } = from;
  const page = await store.readAll({
    ...(position !== undefined && { after: position }),
    categories: [...parts.keys()],
    limit,
  });
  const rows: FlatRow[] = [];
  for (const [stream, events] of byStream(page.events)) {
    const part = parts.get(streamCategory(stream));
    if (part) rows.push(...(await readStreamRows(states, part, stream, events, from.isThere)));
  }
  return { rows, ...pageEnd(page, page.events) };
}

/** Where a page ends, and what it was. */
export function pageEnd(
  { next, end }: Pick<AllPage, 'next' | 'end'>,
  events: readonly HistoryWitness[],
): Omit<RowsPage, 'rows'> {
  const last = events.at(-1);
  return { next, events: events.length, witness: last && historyWitness(last), end };
}

/** The rows that a stream gives to a projection after these events. */
export function touchedRows(
  { contribution }: Pick<ProjectionPart, 'contribution'>,
  state: unknown,
  touched: TouchedRows,
): FlatRow[] {
  const rows: FlatRow[] = [];
  for (const [id, revision] of touched) {
    const row = contribution.row(state, id, revision);
    if (row) rows.push(row);
  }
  return rows;
}

async function readStreamRows(
  states: StateCache,
  part: ProjectionPart,
  stream: string,
  events: readonly RecordedEvent[],
  isThere: ((touched: TouchedRows) => boolean) | undefined,
): Promise<FlatRow[]> {
  const { source, contribution } = part;
  if (isThere) {
    checkTypes(part, events);
    const touched = contribution.touched(stream, events);
    if (touched && isThere(touched)) return [];
  }
  const folded = await states.fold(source, stream, events);
  const touched = contribution.touched(stream, folded.events, folded.state) ?? new Map<string, number>();
  return touchedRows(part, folded.state, touched);
}

/** An event of an unknown type halts, also where the rows that it names are there already. */
function checkTypes({ source }: ProjectionPart, events: readonly RecordedEvent[]): void {
  for (const event of events) source.check(event);
}

function byStream(events: readonly RecordedEvent[]): Map<string, RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const known = streams.get(event.stream);
    if (known) known.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
}

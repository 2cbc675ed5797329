import {
  categoryOf,
  landmarkOf,
  type AllPage,
  type EventStore,
  type Landmark,
  type Position,
  type RecordedEvent,
} from '@tillstream/event-store';
import type { ProjectionName } from '../read-models.types.js';
import { partsOf } from './registry.js';
import type { Part, Touched } from './row.projection.js';
import type { StateCache } from './state.cache.js';
import type { FlatRow } from './table.shape.js';

/** The rows of a page of history. */
export interface PageOfRows {
  readonly rows: readonly FlatRow[];
  /** The checkpoint behind it; undefined in an empty store. */
  readonly next: Position | undefined;
  readonly events: number;
  /** The last of them. */
  readonly landmark: Landmark | undefined;
  /** All that was in the store before the page was read has been handled with it. */
  readonly end: boolean;
}

/**
 * Reads and folds the next page. `isThere` tells which rows need not be made; left out: none is there. Throws what folding
 * throws (`UnknownEvent`), and the store's errors.
 */
export async function pageOfRows(
  store: Pick<EventStore, 'readAll'>,
  projection: ProjectionName,
  states: StateCache,
  from: {
    readonly position: Position | undefined;
    /** Events read at once, 1 to 1000. */
    readonly limit: number;
    readonly isThere?: (touched: Touched) => boolean;
  },
): Promise<PageOfRows> {
  const parts = partsOf(projection);
  const { position, limit } = from;
  const page = await store.readAll({
    ...(position !== undefined && { after: position }),
    categories: [...parts.keys()],
    limit,
  });
  const rows: FlatRow[] = [];
  for (const [stream, events] of byStream(page.events)) {
    const part = parts.get(categoryOf(stream));
    if (part) rows.push(...(await rowsOf(states, part, stream, events, from.isThere)));
  }
  return { rows, ...placeAfter(page, page.events) };
}

/** Where a page ends, and what it was. */
export function placeAfter(
  { next, end }: Pick<AllPage, 'next' | 'end'>,
  events: readonly Landmark[],
): Omit<PageOfRows, 'rows'> {
  const last = events.at(-1);
  return { next, events: events.length, landmark: last && landmarkOf(last), end };
}

/** The rows that a stream gives to a projection after these events. */
export function rowsFor(
  { contribution }: Pick<Part, 'contribution'>,
  state: unknown,
  touched: Touched,
): FlatRow[] {
  const rows: FlatRow[] = [];
  for (const [id, revision] of touched) {
    const row = contribution.row(state, id, revision);
    if (row) rows.push(row);
  }
  return rows;
}

async function rowsOf(
  states: StateCache,
  part: Part,
  stream: string,
  events: readonly RecordedEvent[],
  isThere: ((touched: Touched) => boolean) | undefined,
): Promise<FlatRow[]> {
  const { source, contribution } = part;
  if (isThere) {
    checkTypes(part, events);
    const touched = contribution.touched(stream, events);
    if (touched && isThere(touched)) return [];
  }
  const folded = await states.folded(source, stream, events);
  const touched = contribution.touched(stream, folded.events, folded.state) ?? new Map<string, number>();
  return rowsFor(part, folded.state, touched);
}

/** An event of an unknown type halts, also where the rows that it names are there already. */
function checkTypes({ source }: Part, events: readonly RecordedEvent[]): void {
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

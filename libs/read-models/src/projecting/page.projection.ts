import { setImmediate } from 'node:timers/promises';
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
import { partsOf } from '../projections/registry.js';
import type { Part } from '../projections/row.projection.js';
import type { Touched } from '../projections/row.projection.js';
import type { GenerationFile } from '../tables/generation.file.js';
import type { FlatRow } from '../tables/table.shape.js';
import type { StateCache } from './state.cache.js';

export type PageOutcome =
  /** `end`: all that was in the store before the page was read has been handled. */
  | { readonly kind: 'Advanced'; readonly events: number; readonly rows: number; readonly end: boolean }
  /** Somebody else moved the checkpoint meanwhile; nothing was written. */
  | { readonly kind: 'Fenced' };

export interface PageOptions {
  /** Events read at once. */
  readonly limit: number;
  /** Ms, real time. */
  readonly now: () => number;
}

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
 * One page of history into a generation: its rows and the checkpoint in one transaction. What was written through by
 * those who appended is only looked at. Throws what folding throws (an event of an unknown type), and the store's errors.
 */
export async function projectPage(
  store: Pick<EventStore, 'readAll' | 'readHeads'>,
  file: GenerationFile,
  states: StateCache,
  { limit, now }: PageOptions,
): Promise<PageOutcome> {
  const { position } = file.progress();
  const known = await pageOfKnown(store, file, position, limit);
  const { rows, next, events, landmark, end } =
    known ??
    (await pageOfRows(store, file.shape.projection, states, {
      position,
      limit,
      isThere: (touched) => isThere(file, touched),
    }));
  if (next === undefined || next === position) return { kind: 'Advanced', events: 0, rows: 0, end };
  const written = file.transaction(() =>
    file.advance(position, { to: next, events, landmark, now: now() }) ? file.write(rows) : undefined,
  );
  return written === undefined ? { kind: 'Fenced' } : { kind: 'Advanced', events, rows: written, end };
}

/**
 * The next page, where every stream in it was written through as far as the page goes: then nobody has to read what its
 * events say. Undefined where one was not, or where a stream's name does not tell its rows.
 */
async function pageOfKnown(
  store: Pick<EventStore, 'readHeads'>,
  file: GenerationFile,
  position: Position | undefined,
  limit: number,
): Promise<PageOfRows | undefined> {
  const parts = partsOf(file.shape.projection);
  if ([...parts.values()].some(({ contribution }) => !contribution.ids)) return undefined;
  const page = await store.readHeads({
    ...(position !== undefined && { after: position }),
    categories: [...parts.keys()],
    limit,
  });
  const last = new Map<string, number>();
  for (const { stream, revision, type } of page.heads) {
    // Of a newer version of a type that is known, whoever wrote the row knew what it says.
    parts.get(categoryOf(stream))?.source.check({ type, metadata: { schemaVersion: 1 } });
    last.set(stream, revision);
  }
  for (const [stream, revision] of last) {
    const ids = parts.get(categoryOf(stream))?.contribution.ids?.(stream);
    const newest = ids && file.newestRevision(ids.from, ids.to);
    if (newest === undefined || newest < revision) return undefined;
  }
  return { rows: [], ...placeAfter(page, page.heads) };
}

/** Reads and folds the next page. `isThere` tells which rows need not be made; left out: none is there. */
export async function pageOfRows(
  store: Pick<EventStore, 'readAll'>,
  projection: ProjectionName,
  states: StateCache,
  from: {
    readonly position: Position | undefined;
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

function placeAfter(
  { next, end }: Pick<AllPage, 'next' | 'end'>,
  events: readonly Landmark[],
): Omit<PageOfRows, 'rows'> {
  const last = events.at(-1);
  return { next, events: events.length, landmark: last && landmarkOf(last), end };
}

/** Until nothing is left of what was there when it began. */
export async function projectToEnd(
  store: Pick<EventStore, 'readAll' | 'readHeads'>,
  file: GenerationFile,
  states: StateCache,
  options: PageOptions & {
    /** Called between two pages; a throw ends it there. */
    readonly between?: (events: number, rows: number) => void;
  },
): Promise<'AtEnd' | 'Fenced'> {
  for (;;) {
    const outcome = await projectPage(store, file, states, options);
    if (outcome.kind === 'Fenced') return 'Fenced';
    options.between?.(outcome.events, outcome.rows);
    if (outcome.end) return 'AtEnd';
    await setImmediate();
  }
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

function isThere(file: GenerationFile, touched: Touched): boolean {
  const there = file.revisions([...touched.keys()]);
  for (const [id, revision] of touched) if ((there.get(id) ?? -1) < revision) return false;
  return true;
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

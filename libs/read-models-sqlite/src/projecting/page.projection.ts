import { setImmediate } from 'node:timers/promises';
import type { ConsumerPage } from '@tillstream/event-consumers';
import {
  categoryOf,
  EventStoreError,
  type EventHead,
  type EventStore,
  type Landmark,
  type Position,
} from '@tillstream/event-store';
import {
  pageOfRows,
  partsOf,
  placeAfter,
  type PageOfRows,
  type StateCache,
  type Touched,
} from '@tillstream/read-models';
import type { GenerationFile } from '../tables/generation.file.js';

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

/** The next page of heads, where every stream in it was written through; undefined where one was not. */
async function pageOfKnown(
  store: Pick<EventStore, 'readHeads'>,
  file: GenerationFile,
  position: Position | undefined,
  limit: number,
): Promise<PageOfRows | undefined> {
  if (!tellsRows(file)) return undefined;
  const page = await store.readHeads({
    ...(position !== undefined && { after: position }),
    categories: [...partsOf(file.shape.projection).keys()],
    limit,
  });
  return isWrittenThrough(file, page.heads) ? { rows: [], ...placeAfter(page, page.heads) } : undefined;
}

/** The rows of a page of which the heads are known, and the last event that they stand for. */
export async function pageOfHeads(
  store: Pick<EventStore, 'readAll'>,
  file: GenerationFile,
  states: StateCache,
  { items, from, witness }: ConsumerPage<EventHead>,
): Promise<Pick<PageOfRows, 'rows' | 'events'> & { readonly landmark: Landmark }> {
  if (tellsRows(file) && isWrittenThrough(file, items)) {
    return { rows: [], events: items.length, landmark: witness };
  }
  const { rows, events, landmark } = await pageOfRows(store, file.shape.projection, states, {
    position: from,
    limit: items.length,
    isThere: (touched) => isThere(file, touched),
  });
  // A store may give fewer events than heads, where looking for them took too long.
  if (!landmark) throw new EventStoreError('Unavailable', 'the store gave none of the events that it has');
  return { rows, events, landmark };
}

/** Whether the name of a stream tells its rows, in all categories of the list. */
function tellsRows({ shape }: GenerationFile): boolean {
  return [...partsOf(shape.projection).values()].every(({ contribution }) => contribution.ids);
}

/**
 * Whether every stream of these heads was written through as far as they go: then nobody has to read what the events say.
 * Throws `UnknownEvent` for a type that this version does not know.
 */
function isWrittenThrough(file: GenerationFile, heads: readonly EventHead[]): boolean {
  const parts = partsOf(file.shape.projection);
  const last = new Map<string, number>();
  for (const { stream, revision, type } of heads) {
    // Of a newer version of a type that is known, whoever wrote the row knew what it says.
    parts.get(categoryOf(stream))?.source.check({ type, metadata: { schemaVersion: 1 } });
    last.set(stream, revision);
  }
  for (const [stream, revision] of last) {
    const ids = parts.get(categoryOf(stream))?.contribution.ids?.(stream);
    const newest = ids && file.newestRevision(ids.from, ids.to);
    if (newest === undefined || newest < revision) return false;
  }
  return true;
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

function isThere(file: GenerationFile, touched: Touched): boolean {
  const there = file.revisions([...touched.keys()]);
  for (const [id, revision] of touched) if ((there.get(id) ?? -1) < revision) return false;
  return true;
}

import { setImmediate } from 'node:timers/promises';
import type { ConsumerPage } from '@tillstream/event-consumers';
import {
  streamCategory,
  EventStoreError,
  type EventHeader,
  type EventStore,
  type HistoryWitness,
  type Position,
} from '@tillstream/event-store';
import {
  readRowsPage,
  projectionParts,
  pageEnd,
  type RowsPage,
  type StateCache,
  type TouchedRows,
} from '@tillstream/read-models';
import type { GenerationFile } from '../tables/generation.file.js';

export type PageProjectionResult =
  /** `end`: all that was in the store before the page was read has been handled. */
  | { readonly kind: 'Advanced'; readonly events: number; readonly rows: number; readonly end: boolean }
  /** Somebody else moved the checkpoint meanwhile; nothing was written. */
  | { readonly kind: 'Fenced' };

export interface PageProjectionOptions {
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
  store: Pick<EventStore, 'readAll' | 'readHeaders'>,
  file: GenerationFile,
  states: StateCache,
  { limit, now }: PageProjectionOptions,
): Promise<PageProjectionResult> {
  const { position } = file.progress();
  const known = await readWrittenPage(store, file, position, limit);
  const { rows, next, events, witness, end } =
    known ??
    (await readRowsPage(store, file.shape.projection, states, {
      position,
      limit,
      isThere: (touched) => areRowsWritten(file, touched),
    }));
  if (next === undefined || next === position) return { kind: 'Advanced', events: 0, rows: 0, end };
  const written = file.transaction(() =>
    file.advance(position, { to: next, events, witness, now: now() }) ? file.write(rows) : undefined,
  );
  return written === undefined ? { kind: 'Fenced' } : { kind: 'Advanced', events, rows: written, end };
}

/** The next page of heads, where every stream in it was written through; undefined where one was not. */
async function readWrittenPage(
  store: Pick<EventStore, 'readHeaders'>,
  file: GenerationFile,
  position: Position | undefined,
  limit: number,
): Promise<RowsPage | undefined> {
  if (!hasIdRanges(file)) return undefined;
  const page = await store.readHeaders({
    ...(position !== undefined && { after: position }),
    categories: [...projectionParts(file.shape.projection).keys()],
    limit,
  });
  return isWrittenThrough(file, page.headers) ? { rows: [], ...pageEnd(page, page.headers) } : undefined;
}

/** The rows of a page of which the heads are known, and the last event that they stand for. */
export async function rowsOfHeaders(
  store: Pick<EventStore, 'readAll'>,
  file: GenerationFile,
  states: StateCache,
  { items, from, witness: pageWitness }: ConsumerPage<EventHeader>,
): Promise<Pick<RowsPage, 'rows' | 'events'> & { readonly witness: HistoryWitness }> {
  if (hasIdRanges(file) && isWrittenThrough(file, items)) {
    return { rows: [], events: items.length, witness: pageWitness };
  }
  const { rows, events, witness } = await readRowsPage(store, file.shape.projection, states, {
    position: from,
    limit: items.length,
    isThere: (touched) => areRowsWritten(file, touched),
  });
  // A store may give fewer events than heads, where looking for them took too long.
  if (!witness) throw new EventStoreError('Unavailable', 'the store gave none of the events that it has');
  return { rows, events, witness };
}

/** Whether the name of a stream tells its rows, in all categories of the list. */
function hasIdRanges({ shape }: GenerationFile): boolean {
  return [...projectionParts(shape.projection).values()].every(({ contribution }) => contribution.ids);
}

/**
 * Whether every stream of these heads was written through as far as they go: then nobody has to read what the events say.
 * Throws `UnknownEvent` for a type that this version does not know.
 */
function isWrittenThrough(file: GenerationFile, heads: readonly EventHeader[]): boolean {
  const parts = projectionParts(file.shape.projection);
  const last = new Map<string, number>();
  for (const { stream, revision, type } of heads) {
    // Of a newer version of a type that is known, whoever wrote the row knew what it says.
    parts.get(streamCategory(stream))?.source.check({ type, metadata: { schemaVersion: 1 } });
    last.set(stream, revision);
  }
  for (const [stream, revision] of last) {
    const ids = parts.get(streamCategory(stream))?.contribution.ids?.(stream);
    const newest = ids && file.newestRevision(ids.from, ids.to);
    if (newest === undefined || newest < revision) return false;
  }
  return true;
}

/** Until nothing is left of what was there when it began. */
export async function projectToEnd(
  store: Pick<EventStore, 'readAll' | 'readHeaders'>,
  file: GenerationFile,
  states: StateCache,
  options: PageProjectionOptions & {
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

function areRowsWritten(file: GenerationFile, touched: TouchedRows): boolean {
  const there = file.revisions([...touched.keys()]);
  for (const [id, revision] of touched) if ((there.get(id) ?? -1) < revision) return false;
  return true;
}

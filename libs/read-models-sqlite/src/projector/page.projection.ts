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
  projectionCategories,
  projectionParts,
  pageEnd,
  type RowsPage,
  type StateCache,
  type TouchedRows,
} from '@tillstream/read-models';
import type { GenerationFile } from '../tables/generation.file.js';

/**
 * Projects one page of at most `limit` events into a generation: its rows and the checkpoint in one transaction. It compares
 * revisions and does not make rows that were written through. `Fenced`: another projector has moved the checkpoint; nothing
 * was written. `AtEnd`: the page reaches the head that the store had when the page was read. Throws `UnknownEvent`, and the
 * store's errors.
 */
export async function projectPage(
  store: Pick<EventStore, 'readAll' | 'readHeaders'>,
  file: GenerationFile,
  states: StateCache,
  limit: number,
): Promise<'More' | 'AtEnd' | 'Fenced'> {
  const { position } = file.progress();
  const { rows, next, events, witness, end } =
    (await readWrittenPage(store, file, position, limit)) ??
    (await readMissingRows(store, file, states, { position, limit }));
  const isEmpty = next === undefined || next === position;
  if (!isEmpty && !file.writeStep(position, { to: next, events, witness }, rows)) return 'Fenced';
  return end ? 'AtEnd' : 'More';
}

/** The next page of headers if every stream in it was written through; else undefined. */
async function readWrittenPage(
  store: Pick<EventStore, 'readHeaders'>,
  file: GenerationFile,
  position: Position | undefined,
  limit: number,
): Promise<RowsPage | undefined> {
  if (!hasIdRanges(file)) return undefined;
  const page = await store.readHeaders({
    ...(position !== undefined && { after: position }),
    categories: projectionCategories(file.shape.projection),
    limit,
  });
  return isWrittenThrough(file, page.headers) ? { rows: [], ...pageEnd(page, page.headers) } : undefined;
}

/** The missing rows of a page whose headers are known, and the last event that they stand for. */
export async function rowsOfHeaders(
  store: Pick<EventStore, 'readAll'>,
  file: GenerationFile,
  states: StateCache,
  { items, from, witness: pageWitness }: ConsumerPage<EventHeader>,
): Promise<Pick<RowsPage, 'rows' | 'events'> & { readonly witness: HistoryWitness }> {
  if (hasIdRanges(file) && isWrittenThrough(file, items)) {
    return { rows: [], events: items.length, witness: pageWitness };
  }
  const page = { position: from, limit: items.length };
  const { rows, events, witness } = await readMissingRows(store, file, states, page);
  // A store may return fewer events than headers if the search took too long, but not none.
  if (!witness) throw new EventStoreError('Unavailable', 'the store gave none of the events that it has');
  return { rows, events, witness };
}

function readMissingRows(
  store: Pick<EventStore, 'readAll'>,
  file: GenerationFile,
  states: StateCache,
  page: { readonly position: Position | undefined; readonly limit: number },
): Promise<RowsPage> {
  const areWritten = (touched: TouchedRows): boolean => {
    const written = file.revisions([...touched.keys()]);
    return [...touched].every(([id, revision]) => (written.get(id) ?? -1) >= revision);
  };
  return readRowsPage(store, file.shape.projection, states, { ...page, areWritten });
}

/** Whether a stream's name determines the ids of its rows, in all categories of the list. */
function hasIdRanges({ shape }: GenerationFile): boolean {
  return [...projectionParts(shape.projection).values()].every(({ contribution }) => contribution.ids);
}

/**
 * Whether every stream of these headers was written through up to its last header, so that the events need not be read.
 * @throws UnknownEvent if this version does not know the type of an event
 */
function isWrittenThrough(file: GenerationFile, headers: readonly EventHeader[]): boolean {
  const parts = projectionParts(file.shape.projection);
  const lastRevisions = new Map<string, number>();
  for (const { stream, revision, type } of headers) {
    // A header has no schema version. A newer version of a known type is fine: its row was written by a newer program.
    parts.get(streamCategory(stream))?.source.check({ type, metadata: { schemaVersion: 1 } });
    lastRevisions.set(stream, revision);
  }
  return [...lastRevisions].every(([stream, revision]) => {
    const ids = parts.get(streamCategory(stream))?.contribution.ids?.(stream);
    const newest = ids && file.newestRevision(ids.from, ids.to);
    return newest !== undefined && newest >= revision;
  });
}

/** Projects pages up to the head that the store has at the last read. Calls `onPage` after each; rejects if it throws. */
export async function projectToEnd(
  store: Pick<EventStore, 'readAll' | 'readHeaders'>,
  file: GenerationFile,
  states: StateCache,
  { limit, onPage }: { readonly limit: number; readonly onPage?: () => void },
): Promise<'AtEnd' | 'Fenced'> {
  for (;;) {
    const result = await projectPage(store, file, states, limit);
    if (result === 'Fenced') return result;
    onPage?.();
    if (result === 'AtEnd') return result;
    await setImmediate();
  }
}

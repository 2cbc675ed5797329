import type { ConsumerPage } from '@tillstream/event-consumers';
import {
  streamCategory,
  EventStoreError,
  type EventHeader,
  type EventStore,
  type HistoryWitness,
  type Position,
} from '@tillstream/event-store';
import { projectionCategories, projectionParts } from '../projections/projection.registry.js';
import { pageEnd, readRowsPage, type RowsPage } from '../projections/rows.page.js';
import type { StateCache } from '../projections/state.cache.js';
import type { ListTable } from './list.table.js';

/**
 * Projects one page of at most `limit` events into a generation: its rows and the checkpoint in one transaction. It compares
 * revisions and does not make rows that were written through. `Fenced`: another projector has moved the checkpoint; nothing
 * was written. `AtEnd`: the page reaches the head that the store had when the page was read. Throws `UnknownEvent`, and the
 * store's errors.
 */
export async function projectPage(
  store: Pick<EventStore, 'readAll' | 'readHeaders'>,
  table: ListTable,
  states: StateCache,
  limit: number,
): Promise<'More' | 'AtEnd' | 'Fenced'> {
  const { position } = await table.progress();
  const { rows, next, events, witness, end } =
    (await readWrittenPage(store, table, position, limit)) ??
    (await readMissingRows(store, table, states, { position, limit }));
  const isEmpty = next === undefined || next === position;
  if (!isEmpty && !(await table.writeStep(position, { to: next, events, witness }, rows))) return 'Fenced';
  return end ? 'AtEnd' : 'More';
}

/** Projects pages up to the head that the store has at the last read. Calls `afterPage` after each; rejects if it rejects. */
export async function projectToEnd(
  store: Pick<EventStore, 'readAll' | 'readHeaders'>,
  table: ListTable,
  states: StateCache,
  { limit, afterPage }: { readonly limit: number; readonly afterPage: () => Promise<unknown> },
): Promise<'AtEnd' | 'Fenced'> {
  for (;;) {
    const result = await projectPage(store, table, states, limit);
    if (result === 'Fenced') return result;
    await afterPage();
    if (result === 'AtEnd') return result;
  }
}

/** The missing rows of a page whose headers are known, and the last event that they stand for. */
export async function rowsOfHeaders(
  store: Pick<EventStore, 'readAll'>,
  table: ListTable,
  states: StateCache,
  { items, from, witness: pageWitness }: ConsumerPage<EventHeader>,
): Promise<Pick<RowsPage, 'rows' | 'events'> & { readonly witness: HistoryWitness }> {
  if (hasIdRanges(table) && (await isWrittenThrough(table, items))) {
    return { rows: [], events: items.length, witness: pageWitness };
  }
  const page = { position: from, limit: items.length };
  const { rows, events, witness } = await readMissingRows(store, table, states, page);
  // A store may return fewer events than headers if the search took too long, but not none.
  if (!witness) throw new EventStoreError('Unavailable', 'the store gave none of the events that it has');
  return { rows, events, witness };
}

/** The next page of headers if every stream in it was written through; else undefined. */
async function readWrittenPage(
  store: Pick<EventStore, 'readHeaders'>,
  table: ListTable,
  position: Position | undefined,
  limit: number,
): Promise<RowsPage | undefined> {
  if (!hasIdRanges(table)) return undefined;
  const page = await store.readHeaders({
    ...(position !== undefined && { after: position }),
    categories: projectionCategories(table.shape.projection),
    limit,
  });
  if (!(await isWrittenThrough(table, page.headers))) return undefined;
  return { rows: [], ...pageEnd(page, page.headers) };
}

function readMissingRows(
  store: Pick<EventStore, 'readAll'>,
  table: ListTable,
  states: StateCache,
  page: { readonly position: Position | undefined; readonly limit: number },
): Promise<RowsPage> {
  const writtenRevisions = async (ids: readonly string[]) => table.revisions(ids);
  return readRowsPage(store, table.shape.projection, states, { ...page, writtenRevisions });
}

/** Whether a stream's name determines the ids of its rows, in all categories of the list. */
function hasIdRanges({ shape }: ListTable): boolean {
  return [...projectionParts(shape.projection).values()].every(({ contribution }) => contribution.ids);
}

/**
 * Whether every stream of these headers was written through up to its last header, so that the events need not be read.
 * @throws UnknownEvent if this version does not know the type of an event
 */
async function isWrittenThrough(table: ListTable, headers: readonly EventHeader[]): Promise<boolean> {
  const parts = projectionParts(table.shape.projection);
  const lastRevisions = new Map<string, number>();
  for (const { stream, revision, type } of headers) {
    // A header has no schema version. A newer version of a known type is fine: its row was written by a newer program.
    parts.get(streamCategory(stream))?.source.check({ type, metadata: { schemaVersion: 1 } });
    lastRevisions.set(stream, revision);
  }
  const streams = [...lastRevisions];
  const ranges = streams.flatMap(
    ([stream]) => parts.get(streamCategory(stream))?.contribution.ids?.(stream) ?? [],
  );
  if (ranges.length < streams.length) return false;
  const newest = await table.newestRevisions(ranges);
  return streams.every(([, revision], index) => (newest[index] ?? -1) >= revision);
}

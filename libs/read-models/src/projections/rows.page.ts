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
import { touchedRows, type ProjectionPart, type TouchedRows } from './row.projection.js';
import type { StateCache } from './state.cache.js';
import type { TableRow } from './table.shape.js';

/** The rows of a page of history. */
export interface RowsPage {
  readonly rows: readonly TableRow[];
  /** The checkpoint after the page; undefined in an empty store. */
  readonly next: Position | undefined;
  readonly events: number;
  /** The last event of the page. */
  readonly witness: HistoryWitness | undefined;
  /** The page reaches the head that the store had when the page was read. */
  readonly end: boolean;
}

export interface RowsPageRequest {
  readonly position: Position | undefined;
  /** Events read at once, 1 to 1000. */
  readonly limit: number;
  /** The revisions of those rows that are written already: they are not made again. Default: no row is. */
  readonly writtenRevisions?: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

/** Reads and folds the next page. @throws UnknownEvent, and the store's errors */
export async function readRowsPage(
  store: Pick<EventStore, 'readAll'>,
  projection: ProjectionName,
  states: StateCache,
  { position, limit, writtenRevisions }: RowsPageRequest,
): Promise<RowsPage> {
  const parts = projectionParts(projection);
  const page = await store.readAll({
    ...(position !== undefined && { after: position }),
    categories: [...parts.keys()],
    limit,
  });
  const streams = [...groupByStream(page.events)].flatMap(([stream, events]) => {
    const part = parts.get(streamCategory(stream));
    return part ? [{ part, stream, events }] : [];
  });
  const missing = writtenRevisions ? await withMissingRows(streams, writtenRevisions) : streams;
  const rows: TableRow[] = [];
  for (const { part, stream, events } of missing) {
    rows.push(...touchedRows(part.contribution, await states.fold(part.source, stream, events)));
  }
  return { rows, ...pageEnd(page, page.events) };
}

export function pageEnd(
  { next, end }: Pick<AllPage, 'next' | 'end'>,
  events: readonly HistoryWitness[],
): Omit<RowsPage, 'rows'> {
  const last = events.at(-1);
  return { next, events: events.length, witness: last && historyWitness(last), end };
}

interface StreamPart {
  readonly part: ProjectionPart;
  readonly stream: string;
  readonly events: readonly RecordedEvent[];
}

/** The streams with a row that the events name and that is not written. @throws UnknownEvent, even if all are written */
async function withMissingRows(
  streams: readonly StreamPart[],
  writtenRevisions: NonNullable<RowsPageRequest['writtenRevisions']>,
): Promise<StreamPart[]> {
  const named = streams.map((one) => ({ one, touched: namedRows(one) }));
  const ids = named.flatMap(({ touched }) => [...(touched?.keys() ?? [])]);
  const written = await writtenRevisions([...new Set(ids)]);
  return named
    .filter(
      ({ touched }) => !touched || [...touched].some(([id, revision]) => (written.get(id) ?? -1) < revision),
    )
    .map(({ one }) => one);
}

/** Undefined if the events do not name them. */
function namedRows({ part, stream, events }: StreamPart): TouchedRows | undefined {
  for (const event of events) part.source.check(event);
  return part.contribution.touched(stream, events);
}

function groupByStream(events: readonly RecordedEvent[]): Map<string, RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const group = streams.get(event.stream);
    if (group) group.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
}

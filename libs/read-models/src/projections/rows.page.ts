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
  /** Whether rows of these revisions are written already: they are not made again. Default: no row is. */
  readonly areWritten?: (touched: TouchedRows) => boolean;
}

/** Reads and folds the next page. @throws UnknownEvent, and the store's errors */
export async function readRowsPage(
  store: Pick<EventStore, 'readAll'>,
  projection: ProjectionName,
  states: StateCache,
  { position, limit, areWritten }: RowsPageRequest,
): Promise<RowsPage> {
  const parts = projectionParts(projection);
  const page = await store.readAll({
    ...(position !== undefined && { after: position }),
    categories: [...parts.keys()],
    limit,
  });
  const rows: TableRow[] = [];
  for (const [stream, events] of groupByStream(page.events)) {
    const part = parts.get(streamCategory(stream));
    if (!part || (areWritten && areAllWritten(part, stream, events, areWritten))) continue;
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

/** Whether all rows that the events name are written. @throws UnknownEvent, even if they are */
function areAllWritten(
  { source, contribution }: ProjectionPart,
  stream: string,
  events: readonly RecordedEvent[],
  areWritten: (touched: TouchedRows) => boolean,
): boolean {
  for (const event of events) source.check(event);
  const touched = contribution.touched(stream, events);
  return touched !== undefined && areWritten(touched);
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

import type { HistoryWitness, Position } from '@tillstream/event-store';
import type { RowsPage } from '../projections/rows.page.js';
import type { TableRow } from '../projections/table.shape.js';
import type { RebuildProgress } from '../rebuild.types.js';
import type { Advance } from './list.progress.js';

/** Most events of one page. */
export const LOAD_PAGE_EVENTS = 500;
/** About the rows of a page: one event of a settlement’s page makes 50. With 2,000, a rebuild of settlements took 50 MB more. */
const PAGE_ROWS = 500;
const FIRST_PAGE_EVENTS = 10;

/** Fills the tables of a new generation. */
export interface BulkWriter {
  /** Resolves when it can take another page. */
  write(rows: readonly TableRow[]): Promise<void>;
  /**
   * Resolves when all rows are durable and have their indexes. `step`: from the beginning of the store to the end of the
   * pages; undefined if the store is empty.
   */
  finish(step: Advance | undefined): Promise<void>;
}

/** Called after each step of a rebuild. Rejects if the rebuild is to end. */
export type ReportRebuild = (phase: RebuildProgress['phase'], events: number) => Promise<void>;

/**
 * Loads all history into a new generation. The pages have fewer events where those make many rows, so that memory is bounded.
 * @param readPage reads at most that many events
 */
export async function loadHistory(
  readPage: (position: Position | undefined, eventsWanted: number) => Promise<RowsPage>,
  bulk: BulkWriter,
  report: ReportRebuild,
): Promise<void> {
  let position: Position | undefined;
  let events = 0;
  let wanted = FIRST_PAGE_EVENTS;
  let witness: HistoryWitness | undefined;
  for (let end = false; !end;) {
    const page = await readPage(position, wanted);
    await bulk.write(page.rows);
    wanted = nextPageEvents(wanted, page);
    position = page.next;
    events += page.events;
    witness = page.witness ?? witness;
    await report('Reading', events);
    ({ end } = page);
  }
  await bulk.finish(position === undefined ? undefined : { to: position, events, witness });
}

/** Twice as many as before at most, so that few pages have more rows than meant. */
function nextPageEvents(before: number, { events, rows }: Pick<RowsPage, 'events' | 'rows'>): number {
  const fitting = rows.length === 0 ? LOAD_PAGE_EVENTS : Math.floor((events * PAGE_ROWS) / rows.length);
  return Math.max(1, Math.min(fitting, 2 * before, LOAD_PAGE_EVENTS));
}

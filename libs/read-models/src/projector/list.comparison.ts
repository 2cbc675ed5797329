import type { EventStore } from '@tillstream/event-store';
import type { RowDifference } from '../rebuild.types.js';
import { StateCache } from '../projections/state.cache.js';
import { rowColumns, type TableRow } from '../projections/table.shape.js';
import type { ComparedTable, ListTable } from './list.table.js';
import { projectToEnd } from './page.projection.js';

const PAGE_ROWS = 1_000;
const SUSPECTS_MAX = 10_000;
const PAGE_EVENTS = 100;
const CACHED_STATES_MAX = 100;
/** Rows that differ because one side lags behind become equal within this time, while other processes write. */
const LATE_ROWS_WITHIN_MS = 30_000;
const RETRY_INTERVAL_MS = 200;

export interface Comparison {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly live: ListTable & ComparedTable;
  readonly rebuilt: ComparedTable;
  /** Projects the store's events into the rebuilt table. */
  readonly catchUp: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
  /** Ms of a monotonic clock. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** The first row of the live generation that differs from the one that history gives; undefined: all are equal. */
export async function differenceFromHistory(comparison: Comparison): Promise<RowDifference | undefined> {
  const { store, live, rebuilt, catchUp, signal, now, pause } = comparison;
  const catchUpBoth = async (): Promise<boolean> => {
    signal?.throwIfAborted();
    await catchUp();
    // Needed if no service runs. If one does, its projector may fence this one.
    const states = new StateCache(store, CACHED_STATES_MAX);
    const page = { limit: PAGE_EVENTS, afterPage: () => pause(0) };
    return (await projectToEnd(store, live, states, page)) === 'AtEnd';
  };
  await catchUpBoth();
  const deadline = now() + LATE_ROWS_WITHIN_MS;
  const waitForLateRows = async (): Promise<boolean> => {
    if (now() > deadline) return false;
    await pause(RETRY_INTERVAL_MS);
    return true;
  };
  return firstDifference(live, rebuilt, { catchUpBoth, waitForLateRows });
}

interface ComparisonSteps {
  /**
   * Projects the store's events into both tables. True if it reached the end in the live table itself: then a row that is
   * older than the other table's row was before is wrong, not late.
   */
  catchUpBoth(): Promise<boolean>;
  /** Waits before rows that differ are read again. False if the comparison has taken too long. */
  waitForLateRows(): Promise<boolean>;
}

/**
 * The first row that differs between the live and a rebuilt generation, in the order of ids. Rows that other processes write
 * during the comparison are compared again until both sides have handled the same events.
 */
async function firstDifference(
  live: ComparedTable,
  rebuilt: ComparedTable,
  { catchUpBoth, waitForLateRows }: ComparisonSteps,
): Promise<RowDifference | undefined> {
  let suspects = await differingPairs(live, rebuilt);
  while (suspects.length > 0) {
    const isLiveAtEnd = await catchUpBoth();
    const differing = await stillDiffering(live, rebuilt, suspects);
    const wrong = differing.find(
      ({ before, after }) =>
        revisionOf(after.live) === revisionOf(after.rebuilt) ||
        revisionOf(after.rebuilt) < revisionOf(before.live) ||
        (isLiveAtEnd && revisionOf(after.live) < revisionOf(before.rebuilt)),
    );
    if (wrong) return differenceOf(live, wrong.after);
    suspects = differing.map(({ after }) => after);
    const [first] = suspects;
    if (first && !(await waitForLateRows())) return differenceOf(live, first);
  }
  return undefined;
}

/** The row of an id in both tables. */
interface RowPair extends Pick<RowDifference, 'id'> {
  readonly live: TableRow | undefined;
  readonly rebuilt: TableRow | undefined;
}

async function stillDiffering(
  live: ComparedTable,
  rebuilt: ComparedTable,
  suspects: readonly RowPair[],
): Promise<{ readonly before: RowPair; readonly after: RowPair }[]> {
  const ids = suspects.map(({ id }) => id);
  const [ofLive, ofRebuilt] = [await rowsById(live, ids), await rowsById(rebuilt, ids)];
  return suspects
    .map((before) => {
      const { id } = before;
      return { before, after: { id, live: ofLive.get(id), rebuilt: ofRebuilt.get(id) } };
    })
    .filter(({ after }) => !areEqual(after.live, after.rebuilt));
}

async function rowsById(
  table: ComparedTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TableRow>> {
  return new Map((await table.rows(ids)).map((row) => [row.id, row]));
}

const revisionOf = (row: TableRow | undefined): number => row?.revision ?? -1;

async function differingPairs(live: ComparedTable, rebuilt: ComparedTable): Promise<RowPair[]> {
  const differing: RowPair[] = [];
  for await (const pair of allPairs(live, rebuilt)) {
    if (!areEqual(pair.live, pair.rebuilt)) differing.push(pair);
    if (differing.length === SUSPECTS_MAX) break;
  }
  return differing;
}

/** Walks through both tables side by side, in the order of ids. */
async function* allPairs(live: ComparedTable, rebuilt: ComparedTable): AsyncGenerator<RowPair, void> {
  const liveRows = new RowReader(live);
  const rebuiltRows = new RowReader(rebuilt);
  for (;;) {
    const a = await liveRows.first();
    const b = await rebuiltRows.first();
    if (!a && !b) return;
    const id = lowerId(a, b);
    const pair = { id, live: a?.id === id ? a : undefined, rebuilt: b?.id === id ? b : undefined };
    yield pair;
    if (pair.live) liveRows.skip();
    if (pair.rebuilt) rebuiltRows.skip();
  }
}

function lowerId(a: TableRow | undefined, b: TableRow | undefined): string {
  if (a && b) return a.id < b.id ? a.id : b.id;
  return (a ?? (b as TableRow)).id;
}

/** Reads all rows in the order of ids, a page at a time. */
class RowReader {
  #page: readonly TableRow[] = [];
  #next = 0;
  #after = '';
  #isAtEnd = false;

  constructor(private readonly table: ComparedTable) {}

  async first(): Promise<TableRow | undefined> {
    if (this.#next >= this.#page.length && !this.#isAtEnd) {
      this.#page = await this.table.page(this.#after, PAGE_ROWS);
      this.#next = 0;
      this.#after = this.#page.at(-1)?.id ?? this.#after;
      this.#isAtEnd = this.#page.length === 0;
    }
    return this.#page[this.#next];
  }

  skip(): void {
    this.#next += 1;
  }
}

function areEqual(a: TableRow | undefined, b: TableRow | undefined): boolean {
  if (!a || !b) return a === b;
  return Object.entries(a).every(([column, value]) => value === b[column]);
}

function differenceOf({ shape }: ComparedTable, { id, live, rebuilt }: RowPair): RowDifference {
  const columns = rowColumns(shape).filter((column) => live?.[column] !== rebuilt?.[column]);
  return { id, columns, live, rebuilt };
}

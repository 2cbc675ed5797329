import { setTimeout } from 'node:timers/promises';
import {
  type CheckResult,
  type ProjectionName,
  type RebuildOptions,
  RebuildRefused,
  rowColumns,
  type RowDifference,
  StateCache,
  type TableRow,
  tableShape,
} from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import { projectToEnd } from './page.projection.js';
import { build, type RebuildParts } from './rebuild.js';

const PAGE_ROWS = 1_000;
const PAGE_EVENTS = 100;
const CACHED_STATES_MAX = 100;
/** Rows that differ because one side lags behind become equal within this time, while other processes write. */
const LAGGING_ROWS_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 200;
const SUSPECTS_MAX = 10_000;

/**
 * Rebuilds the rows beside the live generation and compares row by row. Rows that other processes write during the
 * comparison are compared again until both sides have handled the same events.
 */
export async function checkProjection(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<CheckResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async ({ file, catchUp }) => {
    const { control, store } = parts;
    const generation = control.live(projection);
    if (!generation) throw new RebuildRefused(projection, 'there is nothing live to compare with');
    const live = GenerationFile.open(control.fileOf(generation), tableShape(projection));
    try {
      const catchUpBoth = async (): Promise<boolean> => {
        options.signal?.throwIfAborted();
        await catchUp();
        // Needed if no service runs. If one does, its projector may fence this one.
        const states = new StateCache(store, CACHED_STATES_MAX);
        return (await projectToEnd(store, live, states, { limit: PAGE_EVENTS })) === 'AtEnd';
      };
      await catchUpBoth();
      const difference = await firstDifference(live, file, catchUpBoth);
      const rows = file.count();
      const durationMs = performance.now() - startedAt;
      return { projection, rows, durationMs, ...(difference && { difference }) };
    } finally {
      live.close();
    }
  });
}

/**
 * `catchUpBoth` projects the store's events into both files. It resolves to true if it reached the end in the live file
 * itself: then a row that is older than the other file's row was before is wrong, not late.
 */
async function firstDifference(
  live: GenerationFile,
  rebuilt: GenerationFile,
  catchUpBoth: () => Promise<boolean>,
): Promise<RowDifference | undefined> {
  const deadline = performance.now() + LAGGING_ROWS_TIMEOUT_MS;
  let suspects = differingPairs(live, rebuilt);
  while (suspects.length > 0) {
    const isLiveAtEnd = await catchUpBoth();
    const differing = suspects
      .map((before) => ({ before, after: readPair(live, rebuilt, before.id) }))
      .filter(({ after }) => !areEqual(after.live, after.rebuilt));
    const wrong = differing.find(
      ({ before, after }) =>
        revisionOf(after.live) === revisionOf(after.rebuilt) ||
        revisionOf(after.rebuilt) < revisionOf(before.live) ||
        (isLiveAtEnd && revisionOf(after.live) < revisionOf(before.rebuilt)),
    );
    if (wrong) return differenceOf(live, wrong.after);
    suspects = differing.map(({ after }) => after);
    const [first] = suspects;
    if (first && performance.now() > deadline) return differenceOf(live, first);
    if (first) await setTimeout(RETRY_INTERVAL_MS);
  }
  return undefined;
}

/** The row of an id in both files. */
interface RowPair extends Pick<RowDifference, 'id'> {
  readonly live: TableRow | undefined;
  readonly rebuilt: TableRow | undefined;
}

function readPair(live: GenerationFile, rebuilt: GenerationFile, id: string): RowPair {
  return { id, live: live.row(id), rebuilt: rebuilt.row(id) };
}

const revisionOf = (row: TableRow | undefined): number => row?.revision ?? -1;

function differingPairs(live: GenerationFile, rebuilt: GenerationFile): RowPair[] {
  const differing: RowPair[] = [];
  for (const pair of allPairs(live, rebuilt)) {
    if (!areEqual(pair.live, pair.rebuilt)) differing.push(pair);
    if (differing.length === SUSPECTS_MAX) break;
  }
  return differing;
}

/** Walks through both files side by side, in the order of ids. */
function* allPairs(live: GenerationFile, rebuilt: GenerationFile): Generator<RowPair, void> {
  const liveRows = allRows(live);
  const rebuiltRows = allRows(rebuilt);
  let a = liveRows.next().value;
  let b = rebuiltRows.next().value;
  while (a || b) {
    const id = lowerId(a, b);
    const pair = { id, live: a?.id === id ? a : undefined, rebuilt: b?.id === id ? b : undefined };
    yield pair;
    if (pair.live) a = liveRows.next().value;
    if (pair.rebuilt) b = rebuiltRows.next().value;
  }
}

function lowerId(a: TableRow | undefined, b: TableRow | undefined): string {
  if (a && b) return a.id < b.id ? a.id : b.id;
  return (a ?? (b as TableRow)).id;
}

function* allRows(file: GenerationFile): Generator<TableRow, undefined> {
  for (let after = ''; ;) {
    const page = file.page(after, PAGE_ROWS);
    yield* page;
    const last = page.at(-1);
    if (!last) return undefined;
    after = last.id;
  }
}

function areEqual(a: TableRow | undefined, b: TableRow | undefined): boolean {
  if (!a || !b) return a === b;
  return Object.entries(a).every(([column, value]) => value === b[column]);
}

function differenceOf({ shape }: GenerationFile, { id, live, rebuilt }: RowPair): RowDifference {
  const columns = rowColumns(shape).filter((column) => live?.[column] !== rebuilt?.[column]);
  return { id, columns, live, rebuilt };
}

import {
  type CheckResult,
  rowColumns,
  type FlatRow,
  type ProjectionName,
  type RebuildOptions,
  RebuildRefused,
  type RowDifference,
  tableShape,
  StateCache,
} from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import { projectToEnd } from './page.projection.js';
import { build, type RebuildParts } from './rebuild.js';

const PAGE = 1_000;
/** Rows that differ only because one side is behind meet soon, while others write on. */
const LAGGING_ROWS_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 200;
const SUSPECTS_MAX = 10_000;

/**
 * Makes the rows anew from history, beside the live ones, and compares row by row; the live generation stays. Rows that
 * others write meanwhile are looked at again until both sides have seen the same events.
 */
export async function checkProjection(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<CheckResult> {
  const since = performance.now();
  return build(parts, projection, options, async ({ file, catchUp }) => {
    const { control } = parts;
    const live = control.live(projection);
    if (!live) throw new RebuildRefused(projection, 'there is nothing live to compare with');
    const lived = GenerationFile.open(control.fileOf(live), tableShape(projection));
    try {
      const bringForward = async (): Promise<boolean> => {
        options.signal?.throwIfAborted();
        await catchUp();
        // Where no service runs, nobody else brings the live one to the end. Fenced: somebody does.
        const states = new StateCache(parts.store, 100);
        const reached = await projectToEnd(parts.store, lived, states, { limit: 100, now: Date.now });
        return reached === 'AtEnd';
      };
      await bringForward();
      const difference = await firstDifference(lived, file, bringForward);
      const rows = file.count();
      const durationMs = performance.now() - since;
      return { projection, rows, durationMs, ...(difference && { difference }) };
    } finally {
      lived.close();
    }
  });
}

/**
 * `bringForward` brings both to the end of what is in the store, and tells whether it did so to the live one by itself.
 * A row that is behind the other's row of before is then not late but wrong.
 */
async function firstDifference(
  live: GenerationFile,
  rebuilt: GenerationFile,
  bringForward: () => Promise<boolean>,
): Promise<RowDifference | undefined> {
  const until = performance.now() + LAGGING_ROWS_TIMEOUT_MS;
  let suspects = differingIds(live, rebuilt).map((id) => pairOf(live, rebuilt, id));
  while (suspects.length > 0) {
    const liveIsAtEnd = await bringForward();
    const now = suspects
      .map((before) => ({ before, after: pairOf(live, rebuilt, before.id) }))
      .filter(({ after }) => !equal(after.live, after.rebuilt));
    const wrong = now.find(
      ({ before, after }) =>
        revisionOf(after.live) === revisionOf(after.rebuilt) ||
        revisionOf(after.rebuilt) < revisionOf(before.live) ||
        (liveIsAtEnd && revisionOf(after.live) < revisionOf(before.rebuilt)),
    );
    if (wrong) return differenceOf(live, wrong.after);
    suspects = now.map(({ after }) => after);
    const [first] = suspects;
    if (first && performance.now() > until) return differenceOf(live, first);
    if (first) await new Promise((resume) => setTimeout(resume, RETRY_INTERVAL_MS));
  }
  return undefined;
}

interface Pair {
  readonly id: string;
  readonly live: FlatRow | undefined;
  readonly rebuilt: FlatRow | undefined;
}

function pairOf(live: GenerationFile, rebuilt: GenerationFile, id: string): Pair {
  return { id, live: live.row(id), rebuilt: rebuilt.row(id) };
}

const revisionOf = (row: FlatRow | undefined): number => Number(row?.[1] ?? -1);

/** Both in the order of ids, side by side. */
function differingIds(live: GenerationFile, rebuilt: GenerationFile): string[] {
  const differing: string[] = [];
  const left = allRows(live);
  const right = allRows(rebuilt);
  let one = left.next().value;
  let other = right.next().value;
  while ((one || other) && differing.length < SUSPECTS_MAX) {
    const a = one ? idOf(one) : undefined;
    const b = other ? idOf(other) : undefined;
    if (a !== undefined && a === b) {
      if (!equal(one, other)) differing.push(a);
      one = left.next().value;
      other = right.next().value;
    } else if (b === undefined || (a !== undefined && a < b)) {
      differing.push(a as string);
      one = left.next().value;
    } else {
      differing.push(b);
      other = right.next().value;
    }
  }
  return differing;
}

function* allRows(file: GenerationFile): Generator<FlatRow, undefined> {
  for (let after = ''; ;) {
    const page = file.page(after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last) return undefined;
    after = idOf(last);
  }
}

const idOf = (row: FlatRow): string => String(row[0]);

function equal(one: FlatRow | undefined, other: FlatRow | undefined): boolean {
  if (!one || !other) return one === other;
  return one.every((value, index) => value === other[index]);
}

function differenceOf({ shape }: GenerationFile, { id, live, rebuilt }: Pair): RowDifference {
  const columns = rowColumns(shape).filter((_, index) => live?.[index] !== rebuilt?.[index]);
  const shown = (row: FlatRow | undefined) =>
    row && Object.fromEntries(rowColumns(shape).map((column, index) => [column, row[index] ?? null]));
  return { id, columns, live: shown(live), rebuilt: shown(rebuilt) };
}

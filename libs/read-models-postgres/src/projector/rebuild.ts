import { setImmediate, setTimeout } from 'node:timers/promises';
import type { EventStore } from '@tillstream/event-store';
import {
  differenceFromHistory,
  GenerationFold,
  RebuildRefused,
  swapIn,
  tableShape,
  type CheckResult,
  type FoldedGeneration,
  type ProjectionName,
  type RebuildOptions,
  type RebuildResult,
  type TableShape,
} from '@tillstream/read-models';
import { buildGeneration, cleanUpGenerations } from '../control/generation.build.js';
import { progressOf } from '../control/generation.progress.js';
import type { ListControl, MakeTables } from '../control/list.control.js';
import { GenerationRows, type RowDatabases } from '../tables/generation.rows.js';
import { listIndexes, listTables } from '../tables/generation.schema.js';
import { BulkLoad, closeBuildDatabases, openBuildDatabases } from './bulk.load.js';

export interface RebuildParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly control: ListControl;
  readonly databases: RowDatabases;
  /** Events handled at most without a turn of the event loop. */
  readonly pageSize: number;
}

/** The empty tables of a list with their indexes. */
export const emptyList =
  (shape: TableShape): MakeTables =>
  (generation) => [...listTables(generation, shape), ...listIndexes(generation, shape)];

/** Makes a new generation, catches up and swaps; see `ReadModels.rebuild`. */
export function rebuild(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<RebuildResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async (folded) => {
    const swapped = await swapIn(folded);
    return { ...swapped, durationMs: performance.now() - startedAt };
  });
}

/** Rebuilds the rows beside the live generation and compares row by row; see `ReadModels.check`. */
export function checkProjection(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<CheckResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async ({ table: rebuilt, fold }) => {
    const { control, store, databases } = parts;
    const generation = await control.live(projection);
    if (!generation) throw new RebuildRefused(projection, 'there is nothing live to compare with');
    const live = new GenerationRows(databases, generation);
    const difference = await differenceFromHistory({
      ...{ store, live, rebuilt, signal: options.signal },
      catchUp: () => fold.catchUp(rebuilt),
      now: () => performance.now(),
      pause: (ms) => setTimeout(ms),
    });
    const rows = await rebuilt.count();
    const durationMs = performance.now() - startedAt;
    return { projection, rows, durationMs, ...(difference && { difference }) };
  });
}

/**
 * Folds all history into a new generation, under the lease of builders, and passes it to `use` when it has its indexes.
 * Afterwards it is removed, unless it has become live.
 */
async function build<T>(
  { control, store, databases, pageSize }: RebuildParts,
  projection: ProjectionName,
  { signal, onProgress }: RebuildOptions,
  use: (folded: FoldedGeneration<GenerationRows>) => Promise<T>,
): Promise<T> {
  const shape = tableShape(projection);
  const make: MakeTables = (generation) => listTables(generation, shape);
  return buildGeneration(control, { shape, make, signal }, async ({ generation, proceed, goLive }) => {
    await cleanUpGenerations(control);
    const expectedEvents = await expectedEventCount(control, projection);
    const fold = new GenerationFold({
      ...{ store, projection, pageSize, expectedEvents, onProgress, proceed },
      pause: () => setImmediate(),
    });
    const own = openBuildDatabases(databases, generation);
    try {
      const bulk = new BulkLoad(own, generation, { signal, onIndexed: () => fold.report('Indexing') });
      await fold.load(bulk);
      const { rows: table } = bulk;
      await fold.catchUp(table);
      return await use({ generation, table, fold, goLive });
    } finally {
      await closeBuildDatabases(own);
    }
  });
}

/** The number of events that the live generation has handled; undefined if there is none, or it has handled none. */
async function expectedEventCount(
  control: ListControl,
  projection: ProjectionName,
): Promise<number | undefined> {
  const live = await control.live(projection);
  return live && ((await progressOf(control.database, live.generation)).events || undefined);
}

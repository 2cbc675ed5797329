import { setImmediate, setTimeout } from 'node:timers/promises';
import type { EventStore, Position } from '@tillstream/event-store';
import {
  differenceFromHistory,
  loadHistory,
  projectToEnd,
  readRowsPage,
  RebuildRefused,
  StateCache,
  tableShape,
  type CheckResult,
  type ProjectionName,
  type RebuildOptions,
  type RebuildProgress,
  type RebuildResult,
  type RowsPage,
  type TableShape,
} from '@tillstream/read-models';
import {
  buildGeneration,
  cleanUpGenerations,
  superseded,
  type GenerationBuild,
} from '../control/generation.build.js';
import { progressOf } from '../control/generation.progress.js';
import type { ListControl, MakeTables } from '../control/list.control.js';
import { GenerationRows, type RowDatabases } from '../tables/generation.rows.js';
import { listIndexes, listTables } from '../tables/generation.schema.js';
import { BulkLoad, closeBuildDatabases, openBuildDatabases } from './bulk.load.js';

/** Folded streams in memory, a few kB each. */
const CACHED_STATES_MAX = 1_000;

export interface RebuildParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly control: ListControl;
  readonly databases: RowDatabases;
  /** Events handled at most without a turn of the event loop. */
  readonly pageSize: number;
}

type ReportProgress = (phase: RebuildProgress['phase'], events: number) => void;

/** A generation that was built from history and is not announced. */
interface BuiltGeneration extends Pick<GenerationBuild, 'generation' | 'goLive'> {
  readonly rows: GenerationRows;
  /** Projects up to the head that the store has now. */
  catchUp(): Promise<void>;
  readonly report: ReportProgress;
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
  return build(parts, projection, options, async ({ rows: built, generation, catchUp, goLive, report }) => {
    let [events, rows] = [0, 0];
    await goLive(async () => {
      await catchUp();
      // Other processes write to it once it is live.
      [events, rows] = [(await built.progress()).events, await built.count()];
      report('Swapping', events);
    });
    const durationMs = performance.now() - startedAt;
    return { projection, generation: generation.generation, events, rows, durationMs };
  });
}

/** Rebuilds the rows beside the live generation and compares row by row; see `ReadModels.check`. */
export function checkProjection(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<CheckResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async ({ rows: rebuilt, catchUp }) => {
    const { control, store, databases } = parts;
    const generation = await control.live(projection);
    if (!generation) throw new RebuildRefused(projection, 'there is nothing live to compare with');
    const live = new GenerationRows(databases, generation);
    const difference = await differenceFromHistory({
      ...{ store, live, rebuilt, catchUp, signal: options.signal },
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
  use: (built: BuiltGeneration) => Promise<T>,
): Promise<T> {
  const shape = tableShape(projection);
  const make: MakeTables = (generation) => listTables(generation, shape);
  return buildGeneration(control, { shape, make, signal }, async ({ generation, proceed, goLive }) => {
    await cleanUpGenerations(control);
    const expectedEvents = await expectedEventCount(control, projection);
    const report: ReportProgress = (phase, events) => {
      proceed();
      onProgress?.({ phase, events, ...(expectedEvents !== undefined && { expectedEvents }) });
    };
    const states = new StateCache(store, CACHED_STATES_MAX);
    const own = openBuildDatabases(databases, generation);
    try {
      let read = 0;
      const bulk = new BulkLoad(own, generation, { signal, onIndexed: () => report('Indexing', read) });
      const readPage = (position: Position | undefined, wanted: number): Promise<RowsPage> =>
        readRowsPage(store, projection, states, { position, limit: Math.min(wanted, pageSize) });
      await loadHistory(readPage, bulk, async (phase, events) => {
        report(phase, (read = events));
        await setImmediate();
      });
      const { rows } = bulk;
      const catchUp = async (): Promise<void> => {
        const afterPage = async (): Promise<void> => {
          report('CatchingUp', (await rows.progress()).events);
          await setImmediate();
        };
        const result = await projectToEnd(store, rows, states, { limit: pageSize, afterPage });
        if (result === 'Fenced') throw superseded(projection);
      };
      await catchUp();
      return await use({ generation, rows, catchUp, goLive, report });
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

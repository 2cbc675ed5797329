import { setImmediate } from 'node:timers/promises';
import type { EventStore, Position } from '@tillstream/event-store';
import {
  LOAD_PAGE_EVENTS,
  loadHistory,
  type ProjectionName,
  projectToEnd,
  type RebuildOptions,
  type RebuildProgress,
  readRowsPage,
  type RebuildResult,
  type RowsPage,
  tableShape,
  StateCache,
} from '@tillstream/read-models';
import { isDamage } from '../damage/file.damage.js';
import type { ControlDatabase } from '../generations/control.database.js';
import {
  buildGeneration,
  cleanUpGenerations,
  superseded,
  type GenerationBuild,
} from '../generations/generation.build.js';
import { GenerationFile } from '../tables/generation.file.js';
import { ProgressTable } from '../tables/progress.table.js';
import { withFile } from '../tables/sqlite.dialect.js';
import { BulkLoad } from './bulk.load.js';

/** Folded streams in memory, a few kB each. */
const CACHED_STATES_MAX = 1_000;

export interface RebuildParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly control: ControlDatabase;
  /** Events handled at most without a turn of the event loop. Default: 500. */
  readonly pageSize?: number;
}

type ReportProgress = (phase: RebuildProgress['phase'], events: number) => void;

/** A generation that was built from history and is not announced. */
interface BuiltGeneration extends Pick<GenerationBuild, 'generation' | 'goLive'> {
  readonly file: GenerationFile;
  /** Projects up to the head that the store has now. */
  catchUp(): Promise<void>;
  readonly report: ReportProgress;
}

/** Makes a new generation, catches up and swaps; see `ReadModels.rebuild`. */
export function rebuild(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<RebuildResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async ({ file, generation, catchUp, goLive, report }) => {
    let [events, rows] = [0, 0];
    await goLive(async () => {
      await catchUp();
      // Other processes write to the file once it is live.
      [events, rows] = [file.progress().events, file.count()];
      report('Swapping', events);
    });
    const durationMs = performance.now() - startedAt;
    return { projection, generation: generation.generation, events, rows, durationMs };
  });
}

/**
 * Folds all history into a new generation, under the lease of builders, and passes it to `use` when it is durable and has
 * its indexes. Afterwards it is removed, unless it has become live.
 */
export async function build<T>(
  { control, store, pageSize = LOAD_PAGE_EVENTS }: RebuildParts,
  projection: ProjectionName,
  { signal, onProgress }: RebuildOptions,
  use: (built: BuiltGeneration) => Promise<T>,
): Promise<T> {
  const shape = tableShape(projection);
  return buildGeneration(control, shape, signal, async ({ generation, path, proceed, goLive }) => {
    cleanUpGenerations(control);
    const expectedEvents = expectedEventCount(control, projection);
    const report: ReportProgress = (phase, events) => {
      proceed();
      onProgress?.({ phase, events, ...(expectedEvents !== undefined && { expectedEvents }) });
    };
    const states = new StateCache(store, CACHED_STATES_MAX);
    const readPage = (position: Position | undefined, wanted: number): Promise<RowsPage> =>
      readRowsPage(store, projection, states, { position, limit: Math.min(wanted, pageSize) });
    let read = 0;
    const bulk = new BulkLoad(path, projection, () => report('Indexing', read));
    try {
      await loadHistory(readPage, bulk, async (phase, events) => {
        report(phase, (read = events));
        await setImmediate();
      });
    } finally {
      await bulk.end();
    }
    const file = GenerationFile.open(path, shape);
    try {
      const catchUp = async (): Promise<void> => {
        const afterPage = async (): Promise<void> => {
          report('CatchingUp', file.progress().events);
          await setImmediate();
        };
        const result = await projectToEnd(store, file, states, { limit: pageSize, afterPage });
        if (result === 'Fenced') throw superseded(projection);
      };
      await catchUp();
      return await use({ generation, file, catchUp, goLive, report });
    } finally {
      file.close();
    }
  });
}

/** The number of events that the live generation has handled; undefined if it can't be read. */
function expectedEventCount(control: ControlDatabase, projection: ProjectionName): number | undefined {
  const live = control.live(projection);
  if (live?.layout !== tableShape(projection).layout) return undefined;
  try {
    return withFile(control.fileOf(live), 'reader', (db) => new ProgressTable(db).read().events || undefined);
  } catch (error) {
    // The rebuild replaces a damaged generation.
    if (isDamage(error)) return undefined;
    throw error;
  }
}

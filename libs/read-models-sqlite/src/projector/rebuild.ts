import { setImmediate } from 'node:timers/promises';
import type { EventStore } from '@tillstream/event-store';
import {
  type FoldedGeneration,
  GenerationFold,
  LOAD_PAGE_EVENTS,
  type ProjectionName,
  type RebuildOptions,
  type RebuildResult,
  swapIn,
  tableShape,
} from '@tillstream/read-models';
import { isDamage } from '../damage/file.damage.js';
import type { ControlDatabase } from '../generations/control.database.js';
import {
  buildGeneration,
  cleanUpGenerations,
  type GenerationBuild,
} from '../generations/generation.build.js';
import { GenerationFile } from '../tables/generation.file.js';
import { ProgressTable } from '../tables/progress.table.js';
import { withFile } from '../tables/sqlite.dialect.js';
import { BulkLoad } from './bulk.load.js';

export interface RebuildParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly control: ControlDatabase;
  /** Events handled at most without a turn of the event loop. Default: 500. */
  readonly pageSize?: number;
}

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

/**
 * Folds all history into a new generation, under the lease of builders, and passes it to `use` when it is durable and has
 * its indexes. Afterwards it is removed, unless it has become live.
 */
export async function build<T>(
  { control, store, pageSize = LOAD_PAGE_EVENTS }: RebuildParts,
  projection: ProjectionName,
  { signal, onProgress }: RebuildOptions,
  use: (folded: FoldedGeneration<GenerationFile> & Pick<GenerationBuild, 'generation'>) => Promise<T>,
): Promise<T> {
  const shape = tableShape(projection);
  return buildGeneration(control, shape, signal, async ({ generation, path, proceed, goLive }) => {
    cleanUpGenerations(control);
    const expectedEvents = expectedEventCount(control, projection);
    const fold = new GenerationFold({
      ...{ store, projection, pageSize, expectedEvents, onProgress, proceed },
      pause: () => setImmediate(),
    });
    const bulk = new BulkLoad(path, projection, () => fold.report('Indexing'));
    try {
      await fold.load(bulk);
    } finally {
      await bulk.end();
    }
    const table = GenerationFile.open(path, shape);
    try {
      await fold.catchUp(table);
      return await use({ generation, table, fold, goLive });
    } finally {
      table.close();
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

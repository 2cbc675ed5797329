import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type CheckResult,
  firstDifference,
  type ProjectionName,
  projectToEnd,
  type RebuildOptions,
  RebuildRefused,
  StateCache,
  tableShape,
} from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import { build, type RebuildParts } from './rebuild.js';

const PAGE_EVENTS = 100;
const CACHED_STATES_MAX = 100;
/** Rows that differ because one side lags behind become equal within this time, while other processes write. */
const LAGGING_ROWS_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 200;

/** Rebuilds the rows beside the live generation and compares row by row. */
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
        return (await projectToEnd(store, live, states, { limit: PAGE_EVENTS, afterPage: () => setImmediate() })) === 'AtEnd';
      };
      await catchUpBoth();
      const deadline = performance.now() + LAGGING_ROWS_TIMEOUT_MS;
      const difference = await firstDifference(live, file, {
        catchUpBoth,
        async waitForLateRows() {
          if (performance.now() > deadline) return false;
          await setTimeout(RETRY_INTERVAL_MS);
          return true;
        },
      });
      const rows = file.count();
      const durationMs = performance.now() - startedAt;
      return { projection, rows, durationMs, ...(difference && { difference }) };
    } finally {
      live.close();
    }
  });
}

import { setTimeout } from 'node:timers/promises';
import {
  type CheckResult,
  differenceFromHistory,
  type ProjectionName,
  type RebuildOptions,
  RebuildRefused,
  tableShape,
} from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import { build, type RebuildParts } from './rebuild.js';

/** Rebuilds the rows beside the live generation and compares row by row. */
export async function checkProjection(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<CheckResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async ({ table, fold }) => {
    const { control, store } = parts;
    const generation = control.live(projection);
    if (!generation) throw new RebuildRefused(projection, 'there is nothing live to compare with');
    const live = GenerationFile.open(control.fileOf(generation), tableShape(projection));
    try {
      const difference = await differenceFromHistory({
        ...{ store, live, rebuilt: table, signal: options.signal },
        catchUp: () => fold.catchUp(table),
        now: () => performance.now(),
        pause: (ms) => setTimeout(ms),
      });
      const rows = table.count();
      const durationMs = performance.now() - startedAt;
      return { projection, rows, durationMs, ...(difference && { difference }) };
    } finally {
      live.close();
    }
  });
}

import type { OrderedProjection } from '../projections/ordered.projection.js';
import { RebuildRefused } from '../read-models.errors.js';
import type { ReadModelsLog } from '../read-models.types.js';

export interface OrderedRebuildParts {
  readonly projection: Pick<OrderedProjection<never>, 'name' | 'version'>;
  readonly rebuild: () => Promise<{ readonly events: number }>;
  readonly log: ReadModelsLog;
  /** Ms of a monotonic clock. */
  readonly now: () => number;
}

/** Rebuilds the tables of an ordered projection, and logs the beginning and the end. Does nothing while another process does. */
export async function rebuildOrdered({ projection, rebuild, log, now }: OrderedRebuildParts): Promise<void> {
  const { name, version } = projection;
  log.info('rebuild-began', { projection: name, to: version });
  const startedAt = now();
  try {
    const { events } = await rebuild();
    log.info('rebuild-ended', { projection: name, events, durationMs: Math.round(now() - startedAt) });
  } catch (error) {
    if (!(error instanceof RebuildRefused)) throw error;
  }
}

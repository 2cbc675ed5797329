import type { LeadingTaskOptions } from '@tillstream/event-consumers';
import type { OrderedProjection, OrderedReadModel } from '../projections/ordered.projection.js';
import { RebuildRefused } from '../read-models.errors.js';
import type { ReadModelsLog } from '../read-models.types.js';

/** How soon the leader notices tables that need a rebuild. */
const MAINTENANCE_INTERVAL_MS = 2_000;

export interface OrderedMaintenanceParts {
  readonly projection: Pick<OrderedProjection<never>, 'name' | 'version'>;
  readonly model: Pick<OrderedReadModel<never>, 'isOutdated' | 'rebuild'>;
  readonly log: ReadModelsLog;
  /** Ms of a monotonic clock. */
  readonly now: () => number;
}

/** A task of the leader: rebuilds the tables of an ordered projection while they are outdated. */
export function orderedMaintenance(parts: OrderedMaintenanceParts): LeadingTaskOptions {
  return {
    name: `tables of ${parts.projection.name}`,
    everyMs: MAINTENANCE_INTERVAL_MS,
    run: async (stopping) => {
      if (await parts.model.isOutdated()) await rebuildAndLog(parts, stopping);
      return 'Idle';
    },
  };
}

/** Logs the beginning and the end. If another process rebuilds the tables, does nothing. */
async function rebuildAndLog(
  { projection, model, log, now }: OrderedMaintenanceParts,
  signal: AbortSignal,
): Promise<void> {
  const { name, version } = projection;
  log.info('rebuild-began', { projection: name, to: version });
  const startedAt = now();
  try {
    const { events } = await model.rebuild({ signal });
    log.info('rebuild-ended', { projection: name, events, durationMs: Math.round(now() - startedAt) });
  } catch (error) {
    if (!(error instanceof RebuildRefused)) throw error;
  }
}

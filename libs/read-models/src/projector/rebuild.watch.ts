import type { ProjectionName, ReadModelsLog } from '../read-models.types.js';
import { rebuildPace } from '../rebuild.pace.js';
import type { RebuildProgress, RunningRebuild } from '../rebuild.types.js';

/** Four lines a minute: a rebuild of millions of events takes many minutes. */
const LOG_EVERY_MS = 15_000;

/** Follows one rebuild: what is known of it now, and a log line every 15 s, from the first 15 s on. */
export class RebuildWatch {
  private readonly startedAt: number;
  private loggedAt: number;
  private last: RebuildProgress = { phase: 'Reading', events: 0 };

  constructor(
    private readonly projection: ProjectionName,
    private readonly log: Pick<ReadModelsLog, 'info'>,
    /** Ms of a monotonic clock. */
    private readonly now: () => number,
  ) {
    this.startedAt = this.loggedAt = now();
  }

  get running(): RunningRebuild {
    return { projection: this.projection, ...this.last };
  }

  report(progress: RebuildProgress): void {
    this.last = progress;
    const now = this.now();
    if (now < this.loggedAt + LOG_EVERY_MS) return;
    this.loggedAt = now;
    const { phase, events, expectedEvents } = progress;
    const { percent, eventsPerSecond, leftMs } = rebuildPace(progress, now - this.startedAt);
    this.log.info('rebuild-progress', {
      projection: this.projection,
      phase,
      events,
      ...(expectedEvents !== undefined && { expectedEvents }),
      ...(percent !== undefined && { percent }),
      eventsPerSecond,
      ...(leftMs !== undefined && { leftSeconds: Math.ceil(leftMs / 1000) }),
    });
  }
}

import { tableShape } from '../projections/projection.registry.js';
import { reasonOf, RebuildRefused } from '../read-models.errors.js';
import type { ProjectionName, ReadModelsLog } from '../read-models.types.js';
import type { RebuildOptions, RebuildProgress, RebuildResult, RunningRebuild } from '../rebuild.types.js';
import { RebuildWatch } from './rebuild.watch.js';

const SHOWN_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 10_000;

export interface ListRebuildsParts {
  /** Ends soon after the signal of its options aborts. */
  readonly rebuild: (projection: ProjectionName, options: RebuildOptions) => Promise<RebuildResult>;
  readonly log: ReadModelsLog;
  /** Ms of a monotonic clock. */
  readonly now: () => number;
  /** Called when a rebuild begins and ends, and every second while it runs. */
  readonly onChange?: (running: readonly RunningRebuild[]) => void;
}

interface Running {
  readonly abort: AbortController;
  readonly watch: RebuildWatch;
  readonly result: Promise<RebuildResult>;
}

/** The rebuilds of one process: one of each projection at a time. */
export class ListRebuilds {
  readonly #running = new Map<ProjectionName, Running>();
  /** When a rebuild that failed may begin again. */
  readonly #retryAt = new Map<ProjectionName, number>();
  #shownAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(private readonly parts: ListRebuildsParts) {}

  list(): readonly RunningRebuild[] {
    return [...this.#running.values()].map(({ watch }) => watch.running);
  }

  /** Rejects with `RebuildRefused` while another rebuild of the projection runs, and after `stop`. */
  async run(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    if (this.#isStopped) throw new RebuildRefused(projection, 'the projector is stopping');
    if (this.#running.has(projection))
      throw new RebuildRefused(projection, 'another rebuild of it is running');
    const { log, now, rebuild } = this.parts;
    const abort = new AbortController();
    const watch = new RebuildWatch(projection, log, now);
    const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
    const onProgress = (progress: RebuildProgress): void => {
      watch.report(progress);
      if (now() >= this.#shownAt + SHOWN_EVERY_MS) this.#show();
      options.onProgress?.(progress);
    };
    const result = rebuild(projection, { signal, onProgress });
    this.#running.set(projection, { abort, watch, result });
    this.#show();
    try {
      return await result;
    } finally {
      this.#running.delete(projection);
      this.#show();
    }
  }

  /**
   * Begins to rebuild a list that needs it, and logs the beginning and the end. Does nothing while a rebuild of it runs, and
   * for 10 s after one that failed. `from`: the version of its rows, if they can be read.
   */
  begin(projection: ProjectionName, from?: number): void {
    const { log, now } = this.parts;
    if (this.#isStopped || this.#running.has(projection)) return;
    if (now() < (this.#retryAt.get(projection) ?? Number.NEGATIVE_INFINITY)) return;
    const to = tableShape(projection).rowsVersion;
    log.info('rebuild-began', { projection, ...(from !== undefined && { from }), to });
    void this.#runAndLog(projection);
  }

  /** Aborts all and resolves when they have ended. Begins no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ result }) => result));
  }

  async #runAndLog(projection: ProjectionName): Promise<void> {
    const { log, now } = this.parts;
    try {
      const { events, rows, durationMs } = await this.run(projection);
      log.info('rebuild-ended', { projection, events, rows, durationMs: Math.round(durationMs) });
    } catch (error) {
      if (this.#isStopped) return;
      this.#retryAt.set(projection, now() + RETRY_AFTER_MS);
      log.failed('rebuild-failed', { projection, reason: reasonOf(error) });
    }
  }

  #show(): void {
    this.#shownAt = this.parts.now();
    this.parts.onChange?.(this.list());
  }
}

import type { ProjectionName, ReadModelsLog } from '../read-models.types.js';
import { RebuildRefused } from '../read-models.errors.js';
import type { RebuildOptions, RebuildProgress, RunningRebuild } from '../rebuild.types.js';
import { RebuildWatch } from './rebuild.watch.js';

const SHOWN_EVERY_MS = 1_000;

export interface RunningRebuildsParts {
  readonly log: Pick<ReadModelsLog, 'info'>;
  /** Ms of a monotonic clock. */
  readonly now: () => number;
  /** Called when a rebuild begins and ends, and every second while it runs. */
  readonly onChange?: (running: readonly RunningRebuild[]) => void;
}

/** The rebuilds of one process: one of each projection at a time. */
export class RunningRebuilds {
  readonly #running = new Map<
    ProjectionName,
    { readonly abort: AbortController; readonly watch: RebuildWatch }
  >();
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: RunningRebuildsParts) {}

  has(projection: ProjectionName): boolean {
    return this.#running.has(projection);
  }

  list(): readonly RunningRebuild[] {
    return [...this.#running.values()].map(({ watch }) => watch.running);
  }

  /** Runs `rebuild`, which ends when the signal of its options aborts. Rejects with `RebuildRefused` while another one runs. */
  async run<T>(
    projection: ProjectionName,
    options: RebuildOptions,
    rebuild: (options: RebuildOptions) => Promise<T>,
  ): Promise<T> {
    if (this.has(projection)) throw new RebuildRefused(projection, 'another rebuild of it is running');
    const { log, now } = this.parts;
    const abort = new AbortController();
    const watch = new RebuildWatch(projection, log, now);
    this.#running.set(projection, { abort, watch });
    this.#show();
    const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
    const onProgress = (progress: RebuildProgress): void => {
      watch.report(progress);
      if (now() >= this.#shownAt + SHOWN_EVERY_MS) this.#show();
      options.onProgress?.(progress);
    };
    try {
      return await rebuild({ signal, onProgress });
    } finally {
      this.#running.delete(projection);
      this.#show();
    }
  }

  abortAll(): void {
    for (const { abort } of this.#running.values()) abort.abort();
  }

  #show(): void {
    this.#shownAt = this.parts.now();
    this.parts.onChange?.(this.list());
  }
}

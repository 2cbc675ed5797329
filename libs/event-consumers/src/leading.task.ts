import { Backoff } from './backoff.js';
import { LeaderLoop, type LeaderActivity, type LeaderLog, type RoundResult } from './leader.loop.js';

export interface LeadingTaskOptions {
  /** In logs. */
  readonly name: string;
  /** Ms: it is run at the latest so long after the run before. */
  readonly everyMs: number;
  /**
   * One round; it ends soon after `stopping` was aborted. A process that was paused goes on with it after another took the
   * lead, so what it does must be harmless when two do it.
   */
  run(stopping: AbortSignal): Promise<RoundResult>;
}

/**
 * Work that falls due by a clock, or that a signal tells of, and that one process at a time does: the one that leads its
 * `ConsumerGroup`. A run that rejects is reported once and tried again after a pause.
 */
export class LeadingTask implements LeaderActivity {
  readonly #loop: LeaderLoop;
  readonly #backoff = new Backoff();
  #isFailing = false;

  constructor(
    private readonly options: LeadingTaskOptions,
    private readonly log: LeaderLog,
  ) {
    this.#loop = new LeaderLoop({
      everyMs: options.everyMs,
      wakeUpDelayMs: 0,
      round: (stopping) => this.#round(stopping),
      onFailure: async (error) => this.#failed(error),
    });
  }

  /** Runs it soon, if this process leads. */
  wake(): void {
    this.#loop.wake();
  }

  run(leads: () => boolean): Promise<void> {
    return this.#loop.run(leads);
  }

  stop(): void {
    this.#loop.stop();
  }

  async #round(stopping: AbortSignal): Promise<RoundResult> {
    const round = await this.options.run(stopping);
    this.#backoff.reset();
    if (this.#isFailing) this.log.recovered(this.options.name);
    this.#isFailing = false;
    return round;
  }

  #failed(error: unknown): number {
    const reason = error instanceof Error ? error.message : String(error);
    if (!this.#isFailing) this.log.failing(this.options.name, reason);
    this.#isFailing = true;
    return this.#backoff.next();
  }
}

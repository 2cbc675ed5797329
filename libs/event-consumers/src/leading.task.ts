import { LeaderLoop, type LeaderLog, type RoundResult } from './leader.loop.js';

export interface LeadingTaskOptions {
  /** The name in logs. */
  readonly name: string;
  /** Longest pause after a run, ms. */
  readonly everyMs: number;
  /**
   * Runs one round, and ends it soon after `stopping` is aborted. A process that was paused continues its round after
   * another took the lead, so two processes may do the same work: it must be harmless.
   */
  run(stopping: AbortSignal): Promise<RoundResult>;
}

/**
 * Work that the leading process of a `ConsumerGroup` runs regularly, and after a wake-up. A run that rejects is reported
 * once and repeated after a pause.
 */
export class LeadingTask extends LeaderLoop {
  #isFailing = false;

  constructor(
    private readonly options: LeadingTaskOptions,
    private readonly log: LeaderLog,
  ) {
    super(options.everyMs, 0);
  }

  protected async round(stopping: AbortSignal): Promise<RoundResult> {
    const round = await this.options.run(stopping);
    this.backoff.reset();
    if (this.#isFailing) this.log.recovered(this.options.name);
    this.#isFailing = false;
    return round;
  }

  protected async handleFailure(error: unknown): Promise<number> {
    const reason = error instanceof Error ? error.message : String(error);
    if (!this.#isFailing) this.log.failing(this.options.name, reason);
    this.#isFailing = true;
    return this.backoff.next();
  }
}

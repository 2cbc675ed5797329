import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Backoff, errorMessage, WakeSignal } from '@tillstream/runtime';

/** Reports failures of a leader's work to operators. */
export interface LeaderLog {
  /** A round failed and is repeated. Called for the first of consecutive failures. */
  failing(name: string, reason: string): void;
  /** A round succeeded after failures. */
  recovered(name: string): void;
}

/** `More`: the next round starts at once. `Idle`: it starts at a wake-up or after `everyMs`. */
export type RoundResult = 'More' | 'Idle';

/** Runs rounds of work one at a time while this process leads: after a wake-up, and at least every `everyMs`. */
export abstract class LeaderLoop {
  protected readonly backoff = new Backoff({ firstPauseMs: 100, longestPauseMs: 5_000 });
  readonly #signal = new WakeSignal();
  readonly #stopping = new AbortController();

  constructor(
    /** Longest pause between two rounds. It makes up for a lost wake-up. */
    private readonly everyMs: number,
    /** The time between a wake-up and its round. */
    private readonly wakeUpDelayMs: number,
  ) {}

  /** A long round ends early when `stopping` is aborted; it may reject. */
  protected abstract round(stopping: AbortSignal): Promise<RoundResult>;
  /** Reports a round that rejected. Resolves to the pause in ms. Never rejects. */
  protected abstract handleFailure(error: unknown): Promise<number>;

  /** Starts a round soon, if this process leads. Returns at once. */
  wake(): void {
    this.#signal.wake();
  }

  stop(): void {
    this.#stopping.abort();
    this.#signal.wake();
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Runs rounds until `stop`, and resolves after the current one. Never rejects. */
  async run(leads: () => boolean): Promise<void> {
    while (!this.isStopped) {
      this.#signal.reset();
      if (!leads()) {
        await this.#signal.wait(this.everyMs);
        continue;
      }
      try {
        if ((await this.round(this.#stopping.signal)) === 'More') {
          await setImmediate();
          continue;
        }
        await this.#signal.wait(this.everyMs);
        await this.#sleep(this.wakeUpDelayMs);
      } catch (error) {
        if (this.isStopped) return;
        await this.#sleep(await this.handleFailure(error));
      }
    }
  }

  /** A stop ends the sleep; a wake-up does not. */
  async #sleep(ms: number): Promise<void> {
    if (ms === 0) return;
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

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

/** Work that the leader runs regularly and after a wake-up. A run that rejects is reported once and repeated after a pause. */
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
    const reason = errorMessage(error);
    if (!this.#isFailing) this.log.failing(this.options.name, reason);
    this.#isFailing = true;
    return this.backoff.next();
  }
}

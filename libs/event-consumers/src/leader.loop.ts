import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Backoff, WakeSignal } from '@tillstream/runtime';

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

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { WakeSignal, type BackoffLimits } from '@tillstream/runtime';

/** Work that a leader runs. */
export interface LeaderActivity {
  /** Runs rounds until `stop`, and resolves after the current one. Never rejects. */
  run(leads: () => boolean): Promise<void>;
  /** Starts a round soon. Returns at once. */
  wake(): void;
  stop(): void;
}

/** Reports failures of a leader's work to operators. */
export interface LeaderLog {
  /** A round failed and is repeated. Called for the first of consecutive failures. */
  failing(name: string, reason: string): void;
  /** A round succeeded after failures. */
  recovered(name: string): void;
}

/** `More`: the next round starts at once. `Idle`: it starts at a wake-up or after `everyMs`. */
export type RoundResult = 'More' | 'Idle';

export interface LeaderLoopOptions {
  /** Longest pause between two rounds, ms. It makes up for a lost wake-up. */
  readonly everyMs: number;
  /** Ms between a wake-up and its round. */
  readonly wakeUpDelayMs: number;
  /** The loop aborts `stopping` when it is stopped. A long round then ends early; it may reject. */
  round(stopping: AbortSignal): Promise<RoundResult>;
  /** Returns the pause after a round that rejected, in ms. Never rejects. */
  onFailure(error: unknown): Promise<number>;
}

/** Pauses after consecutive failures. */
export const FAILURE_PAUSES: BackoffLimits = { firstPauseMs: 100, longestPauseMs: 5_000 };

/** Runs rounds of work one at a time while this process leads: after a wake-up, and at least every `everyMs`. */
export class LeaderLoop implements LeaderActivity {
  readonly #signal = new WakeSignal();
  readonly #stopping = new AbortController();

  constructor(private readonly work: LeaderLoopOptions) {}

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

  async run(leads: () => boolean): Promise<void> {
    const { everyMs, wakeUpDelayMs } = this.work;
    while (!this.isStopped) {
      this.#signal.reset();
      if (!leads()) {
        await this.#signal.wait(everyMs);
        continue;
      }
      try {
        if ((await this.work.round(this.#stopping.signal)) === 'More') {
          await setImmediate();
          continue;
        }
        await this.#signal.wait(everyMs);
        await this.#sleep(wakeUpDelayMs);
      } catch (error) {
        if (this.isStopped) return;
        await this.#sleep(await this.work.onFailure(error));
      }
    }
  }

  /** A stop ends the sleep; a wake-up does not. */
  async #sleep(ms: number): Promise<void> {
    if (ms === 0) return;
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

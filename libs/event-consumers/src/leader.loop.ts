import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { WakeSignal } from './wake.signal.js';

/** What a leader runs. */
export interface LeaderActivity {
  /** Resolves after `stop`, when the round in hand is done. Never rejects. */
  run(leads: () => boolean): Promise<void>;
  /** There may be something to do. Returns at once. */
  wake(): void;
  stop(): void;
}

/** What operators are told of whatever a leader runs. */
export interface LeaderLog {
  /** A round failed and is retried. Reported at the first failure in a row. */
  failing(name: string, reason: string): void;
  /** It worked again after that. */
  recovered(name: string): void;
}

/** `More`: there is more to do at once. `Idle`: nothing, until a wake-up or the end of `everyMs`. */
export type RoundResult = 'More' | 'Idle';

export interface LeaderLoopOptions {
  /** Longest pause between two rounds, ms: repairs a wake-up that was lost. */
  readonly everyMs: number;
  /** Ms between a wake-up and its round. */
  readonly wakeUpDelayMs: number;
  /** `stopping` is aborted when the loop is stopped: a long round ends then, by rejecting or not. */
  round(stopping: AbortSignal): Promise<RoundResult>;
  /** Ms until the next round after one that rejected. Never rejects. */
  onFailure(error: unknown): Promise<number>;
}

/** Rounds of work, one at a time, while this process leads: when woken, and at the latest every so many ms. */
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

  /** A wake-up does not end it; a stop does. */
  async #sleep(ms: number): Promise<void> {
    if (ms === 0) return;
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { EventStore, Position } from '@tillstream/event-store';
import { ConsumerPages } from './consumer.pages.js';
import type { Consumer, ConsumerLog, ConsumerState, ConsumerStatus } from './consumer.port.js';
import { WakeSignal } from './wake.signal.js';

/** How long an event waits at most whose wake-up was lost. */
export const REPAIR_EVERY_MS = 2_000;
/** A newer version of the program may have been started in another process, and have handled the event. */
export const TRY_HALTED_AGAIN_MS = 10_000;
export const MOST_LAG_COUNTED = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The loop of one consumer. */
export class ConsumerLane {
  readonly #pages: ConsumerPages;
  readonly #signal = new WakeSignal();
  readonly #stopping = new AbortController();
  #state: ConsumerState = 'Running';
  #reason: string | undefined;
  #failures = 0;

  constructor(
    private readonly store: EventStore,
    private readonly consumer: Consumer,
    private readonly log: ConsumerLog,
    private readonly mayHandle: () => boolean,
  ) {
    this.#pages = new ConsumerPages(store, consumer, () => log.startedAnew(consumer.name));
  }

  wake(): void {
    this.#signal.wake();
  }

  stop(): void {
    this.#stopping.abort();
    this.#signal.wake();
  }

  /** Resolves after `stop`, when the page in hand is handled. Never rejects. */
  async run(): Promise<void> {
    const stopped = this.#stopping.signal;
    while (!stopped.aborted) {
      if (!this.mayHandle()) {
        this.#signal.reset();
        await this.#signal.wait(REPAIR_EVERY_MS);
        continue;
      }
      try {
        await this.#toEnd();
        await this.#signal.wait(REPAIR_EVERY_MS);
        await this.#sleep(this.consumer.gatherMs);
      } catch (error) {
        await this.#sleep(await this.#failed(error));
      }
    }
  }

  /** Handles pages up to `head`. True if all up to there is handled; false if it ended before. Rejects with the first error. */
  async catchUp(head: Position | undefined, pages = Number.POSITIVE_INFINITY): Promise<boolean> {
    for (let page = 0; page < pages && !this.#stopping.signal.aborted; page++) {
      const outcome = await this.#next();
      if (outcome.kind === 'Paused') return false;
      if (outcome.kind === 'Handled') {
        const { end, through } = outcome;
        if (end || head === undefined) return true;
        if (through !== undefined && this.store.comparePositions(through, head) >= 0) return true;
      }
      await setImmediate();
    }
    return false;
  }

  async status(): Promise<ConsumerStatus> {
    const { name, categories } = this.consumer;
    const position = (await this.consumer.checkpoint())?.position;
    const { heads } = await this.store.readHeads({
      ...(position !== undefined && { after: position }),
      categories,
      limit: MOST_LAG_COUNTED,
    });
    return { name, state: this.#state, reason: this.#reason, position, lagEvents: heads.length };
  }

  /** To the end of the store, or until this process stops or no longer leads. */
  async #toEnd(): Promise<void> {
    while (!this.#stopping.signal.aborted && this.mayHandle()) {
      this.#signal.reset();
      const outcome = await this.#next();
      if (outcome.kind === 'Paused' || (outcome.kind === 'Handled' && outcome.end)) return;
      await setImmediate();
    }
  }

  async #next(): ReturnType<ConsumerPages['next']> {
    const outcome = await this.#pages.next();
    if (this.#state !== 'Running' && outcome.kind === 'Handled') {
      this.#state = 'Running';
      this.#reason = undefined;
      this.log.recovered(this.consumer.name);
    }
    if (outcome.kind === 'Handled') this.#failures = 0;
    return outcome;
  }

  /** Ms until the next attempt. */
  async #failed(error: unknown): Promise<number> {
    const { name } = this.consumer;
    const reason = error instanceof Error ? error.message : String(error);
    const state = this.#pages.isPermanent(error) ? 'Halted' : 'Failing';
    const isNews = state !== this.#state || (state === 'Halted' && reason !== this.#reason);
    this.#state = state;
    this.#reason = reason;
    if (state === 'Failing') {
      if (isNews) this.log.failing(name, reason);
      const pause = FIRST_PAUSE_MS * 2 ** this.#failures;
      this.#failures = Math.min(this.#failures + 1, 16);
      return Math.min(pause, LONGEST_PAUSE_MS);
    }
    if (isNews) this.log.halted(name, reason, await this.#position());
    return TRY_HALTED_AGAIN_MS;
  }

  async #position(): Promise<Position | undefined> {
    return this.consumer.checkpoint().then(
      (checkpoint) => checkpoint?.position,
      () => undefined,
    );
  }

  /** A wake-up does not end it; a stop does. */
  async #sleep(ms: number): Promise<void> {
    if (ms === 0) return;
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

import { setImmediate } from 'node:timers/promises';
import type { EventStore, Position } from '@tillstream/event-store';
import { Backoff } from '@tillstream/runtime';
import { ConsumerPages } from './consumer.pages.js';
import type { Consumer, ConsumerLog, ConsumerState, ConsumerStatus } from './consumer.port.js';
import { FAILURE_PAUSES, LeaderLoop, type LeaderActivity, type RoundResult } from './leader.loop.js';

/** Longest delay of an event whose wake-up was lost. */
export const POLL_INTERVAL_MS = 2_000;
/** A newer program in another process may have handled the event. */
export const HALTED_RETRY_MS = 10_000;
export const LAG_EVENTS_MAX = 1_000;

/** Runs one consumer in a loop of its own, and keeps its state for `status`. */
export class ConsumerLane implements LeaderActivity {
  readonly #pages: ConsumerPages;
  readonly #loop: LeaderLoop;
  readonly #backoff = new Backoff(FAILURE_PAUSES);
  #state: ConsumerState = 'Running';
  #reason: string | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly consumer: Consumer,
    private readonly log: ConsumerLog,
  ) {
    this.#pages = new ConsumerPages(store, consumer, () => log.wasReset(consumer.name));
    this.#loop = new LeaderLoop({
      everyMs: POLL_INTERVAL_MS,
      wakeUpDelayMs: consumer.wakeUpDelayMs,
      round: () => this.#round(),
      onFailure: (error) => this.#reportFailure(error),
    });
  }

  wake(): void {
    this.#loop.wake();
  }

  stop(): void {
    this.#loop.stop();
  }

  run(leads: () => boolean): Promise<void> {
    return this.#loop.run(leads);
  }

  /** Handles pages up to `head`. False if it ended earlier. Rejects with the first error. */
  async catchUp(head: Position | undefined, pages = Number.POSITIVE_INFINITY): Promise<boolean> {
    for (let page = 0; page < pages && !this.#loop.isStopped; page++) {
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
    const { headers } = await this.store.readHeaders({
      ...(position !== undefined && { after: position }),
      categories,
      limit: LAG_EVENTS_MAX,
    });
    return { name, state: this.#state, reason: this.#reason, position, lagEvents: headers.length };
  }

  async #round(): Promise<RoundResult> {
    const outcome = await this.#next();
    return outcome.kind === 'Paused' || (outcome.kind === 'Handled' && outcome.end) ? 'Idle' : 'More';
  }

  async #next(): ReturnType<ConsumerPages['next']> {
    const outcome = await this.#pages.next();
    if (this.#state !== 'Running' && outcome.kind === 'Handled') {
      this.#state = 'Running';
      this.#reason = undefined;
      this.log.recovered(this.consumer.name);
    }
    if (outcome.kind === 'Handled') this.#backoff.reset();
    return outcome;
  }

  /** Returns the ms until the next attempt. */
  async #reportFailure(error: unknown): Promise<number> {
    const { name } = this.consumer;
    const reason = error instanceof Error ? error.message : String(error);
    const state = this.#pages.isPermanent(error) ? 'Halted' : 'Failing';
    const isNewFailure = state !== this.#state || (state === 'Halted' && reason !== this.#reason);
    this.#state = state;
    this.#reason = reason;
    if (state === 'Failing') {
      if (isNewFailure) this.log.failing(name, reason);
      return this.#backoff.next();
    }
    if (isNewFailure) this.log.halted(name, reason, await this.#position());
    return HALTED_RETRY_MS;
  }

  async #position(): Promise<Position | undefined> {
    return this.consumer.checkpoint().then(
      (checkpoint) => checkpoint?.position,
      () => undefined,
    );
  }
}

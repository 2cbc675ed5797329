import { setImmediate } from 'node:timers/promises';
import type { EventStore, Position } from '@tillstream/event-store';
import { ConsumerPages, type PageResult } from './consumer.pages.js';
import type { Consumer, ConsumerLog, ConsumerState, ConsumerStatus } from './consumer.port.js';
import { LeaderLoop, type RoundResult } from './leader.loop.js';

/** Longest delay of an event whose wake-up was lost. */
const POLL_INTERVAL_MS = 2_000;
/** A newer program in another process may have handled the event. */
const HALTED_RETRY_MS = 10_000;
const LAG_EVENTS_MAX = 1_000;

/** Runs one consumer in a loop of its own, and keeps its state for `status`. */
export class ConsumerLane extends LeaderLoop {
  readonly #pages: ConsumerPages;
  #state: ConsumerState = 'Running';
  #reason: string | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly consumer: Consumer,
    private readonly log: ConsumerLog,
  ) {
    super(POLL_INTERVAL_MS, consumer.wakeUpDelayMs);
    this.#pages = new ConsumerPages(store, consumer, () => log.wasReset(consumer.name));
  }

  /** Handles pages up to `head`. False if it ended earlier. Rejects with the first error. */
  async catchUp(head: Position | undefined, pages = Number.POSITIVE_INFINITY): Promise<boolean> {
    for (let page = 0; page < pages && !this.isStopped; page++) {
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

  protected async round(): Promise<RoundResult> {
    const outcome = await this.#next();
    return outcome.kind === 'Paused' || (outcome.kind === 'Handled' && outcome.end) ? 'Idle' : 'More';
  }

  protected async handleFailure(error: unknown): Promise<number> {
    const { name } = this.consumer;
    const reason = error instanceof Error ? error.message : String(error);
    const state = this.#pages.isPermanent(error) ? 'Halted' : 'Failing';
    const isNewFailure = state !== this.#state || (state === 'Halted' && reason !== this.#reason);
    this.#state = state;
    this.#reason = reason;
    if (state === 'Failing') {
      if (isNewFailure) this.log.failing(name, reason);
      return this.backoff.next();
    }
    if (isNewFailure) {
      const checkpoint = await this.consumer.checkpoint().catch(() => undefined);
      this.log.halted(name, reason, checkpoint?.position);
    }
    return HALTED_RETRY_MS;
  }

  async #next(): Promise<PageResult> {
    const outcome = await this.#pages.next();
    if (outcome.kind !== 'Handled') return outcome;
    this.backoff.reset();
    if (this.#state !== 'Running') {
      this.#state = 'Running';
      this.#reason = undefined;
      this.log.recovered(this.consumer.name);
    }
    return outcome;
  }
}

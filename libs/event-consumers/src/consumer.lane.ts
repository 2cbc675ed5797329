import { setImmediate } from 'node:timers/promises';
import {
  findUnreadableEvent,
  holdsWitness,
  historyWitness,
  type AllPage,
  type EventHeader,
  type EventStore,
  type Position,
} from '@tillstream/event-store';
import { errorMessage } from '@tillstream/runtime';
import type {
  Checkpoint,
  Consumer,
  ConsumerLog,
  ConsumerPage,
  ConsumerState,
  ConsumerStatus,
  HandleResult,
} from './consumer.port.js';
import { LeaderLoop, type RoundResult } from './leader.loop.js';

/** Longest delay of an event whose wake-up was lost. */
const POLL_INTERVAL_MS = 2_000;
/** A newer program in another process may have handled the event. */
const HALTED_RETRY_MS = 10_000;
export const LAG_EVENTS_MAX = 1_000;

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
    const lagEvents = await countEventsAfter(this.store, position, categories);
    return { name, state: this.#state, reason: this.#reason, position, lagEvents };
  }

  protected async round(): Promise<RoundResult> {
    const outcome = await this.#next();
    return outcome.kind === 'Paused' || (outcome.kind === 'Handled' && outcome.end) ? 'Idle' : 'More';
  }

  protected async handleFailure(error: unknown): Promise<number> {
    const { name } = this.consumer;
    const reason = errorMessage(error);
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

/** Counts up to `LAG_EVENTS_MAX`. Some stores can't read the header of an unreadable event: then at least one is left. */
async function countEventsAfter(
  store: EventStore,
  after: Position | undefined,
  categories: readonly string[],
): Promise<number> {
  const options = { ...(after !== undefined && { after }), categories, limit: LAG_EVENTS_MAX };
  try {
    return (await store.readHeaders(options)).headers.length;
  } catch (error) {
    if (findUnreadableEvent(error)) return 1;
    throw error;
  }
}

/** The result of reading and handling one page. */
type PageResult =
  /** All events of the consumer up to `through` are handled. `end`: also all that the store had at the read. */
  | { readonly kind: 'Handled'; readonly through: Position | undefined; readonly end: boolean }
  | { readonly kind: 'Fenced' }
  | { readonly kind: 'Paused' };

/** Reads the pages of one consumer and passes them to it, one at a time. */
class ConsumerPages {
  /** Between this checkpoint and `next` the store has no event of the categories. In memory only; saves a second read. */
  #emptyRange: { readonly checkpoint: Position | undefined; readonly next: Position } | undefined;
  #isSameHistory = false;
  #limit: number;
  #lastPage: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    private readonly consumer: Consumer,
    private readonly onReset: () => void,
  ) {
    this.#limit = consumer.pageSize;
  }

  /** Waits for the page before. Rejects as the consumer or the store does; the checkpoint has not moved then. */
  next(): Promise<PageResult> {
    const next = this.#lastPage.then(() => this.#next());
    this.#lastPage = next.catch(() => undefined);
    return next;
  }

  isPermanent(error: unknown): boolean {
    return findUnreadableEvent(error) !== undefined || this.consumer.isPermanent(error);
  }

  async #next(): Promise<PageResult> {
    const checkpoint = await this.#checkpoint();
    const from = checkpoint?.position;
    const after = this.#emptyRange?.checkpoint === from ? (this.#emptyRange?.next ?? from) : from;
    const page = await this.#read(after).catch((error: unknown) => this.#halve(error, this.#limit));
    if (page === 'Halved') return { kind: 'Fenced' };
    const { next: through, end } = page;
    const [first, ...rest] = page.items;
    if (first === undefined) {
      if (through !== undefined) this.#emptyRange = { checkpoint: from, next: through };
      return { kind: 'Handled', through, end };
    }
    const items = [first, ...rest] as const;
    const last = items.at(-1) ?? first;
    const handled = await this.#handle({ items, from, to: last.position, witness: historyWitness(last) });
    if (handled.kind !== 'Moved') return handled;
    if (!items.some(({ position }) => position === handled.to)) {
      throw new Error(`${this.consumer.name} moved its checkpoint to a position that is not in its page`);
    }
    if (handled.to !== last.position) return { kind: 'Handled', through: handled.to, end: false };
    if (through !== undefined) this.#emptyRange = { checkpoint: handled.to, next: through };
    return { kind: 'Handled', through, end };
  }

  /** Checks the witness once in a process: an operator restores an older copy of the store while no process has it open. */
  async #checkpoint(): Promise<Checkpoint | undefined> {
    const checkpoint = await this.consumer.checkpoint();
    if (this.#isSameHistory) return checkpoint;
    const witness = checkpoint?.witness;
    if (witness === undefined || (await holdsWitness(this.store, witness))) {
      this.#isSameHistory = true;
      return checkpoint;
    }
    await this.consumer.reset();
    this.onReset();
    return this.consumer.checkpoint();
  }

  async #read(
    after: Position | undefined,
  ): Promise<Pick<AllPage, 'next' | 'end'> & { readonly items: readonly EventHeader[] }> {
    const { categories, reads } = this.consumer;
    const options = { categories, limit: this.#limit, ...(after !== undefined && { after }) };
    if (reads === 'Events') {
      const { events, ...place } = await this.store.readAll(options);
      return { items: events, ...place };
    }
    const { headers, ...place } = await this.store.readHeaders(options);
    return { items: headers, ...place };
  }

  async #handle(page: ConsumerPage<EventHeader>): Promise<HandleResult> {
    try {
      // `#read` returned the kind of items that this consumer reads.
      const handled = await this.consumer.handle(page as never);
      this.#limit = this.consumer.pageSize;
      return handled;
    } catch (error) {
      this.#halve(error, page.items.length);
      return { kind: 'Fenced' };
    }
  }

  /**
   * Halves the page after a permanent failure: so all events before the failing one are handled, and the consumer halts.
   * Rethrows any other error, and that of a page with one event.
   */
  #halve(error: unknown, items: number): 'Halved' {
    if (items === 1 || !this.isPermanent(error)) throw error;
    this.#limit = Math.floor(items / 2);
    return 'Halved';
  }
}

import {
  holdsWitness,
  historyWitness,
  UnreadableEvent,
  type AllPage,
  type EventHeader,
  type EventStore,
  type Position,
} from '@tillstream/event-store';
import type { Checkpoint, Consumer, ConsumerPage, HandleResult } from './consumer.port.js';

/** The result of reading and handling one page. */
export type PageResult =
  /** All events of the consumer up to `through` are handled. `end`: also all that the store had at the read. */
  | { readonly kind: 'Handled'; readonly through: Position | undefined; readonly end: boolean }
  | { readonly kind: 'Fenced' }
  | { readonly kind: 'Paused' };

/** Reads the pages of one consumer and passes them to it, one at a time. */
export class ConsumerPages {
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
    return error instanceof UnreadableEvent || this.consumer.isPermanent(error);
  }

  async #next(): Promise<PageResult> {
    const checkpoint = await this.#checkpoint();
    const from = checkpoint?.position;
    const after = this.#emptyRange?.checkpoint === from ? (this.#emptyRange?.next ?? from) : from;
    const page = await this.#read(after);
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

  /**
   * Checks the history witness once in the life of the process: an operator restores an older copy of the store while no
   * process has it open.
   */
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

  /**
   * Halves the page size after a permanent failure. So the consumer handles all events before the one that it can't handle,
   * and halts exactly there.
   */
  async #handle(page: ConsumerPage<EventHeader>): Promise<HandleResult> {
    try {
      // `#read` returned the kind of items that this consumer reads.
      const handled = await this.consumer.handle(page as never);
      this.#limit = this.consumer.pageSize;
      return handled;
    } catch (error) {
      if (page.items.length === 1 || !this.isPermanent(error)) throw error;
      this.#limit = Math.floor(page.items.length / 2);
      return { kind: 'Fenced' };
    }
  }
}

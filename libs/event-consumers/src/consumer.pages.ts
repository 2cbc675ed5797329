import {
  holdsWitness,
  historyWitness,
  UnreadableEvent,
  type EventHeader,
  type EventStore,
  type Position,
} from '@tillstream/event-store';
import type { Checkpoint, Consumer, ConsumerPage, HandleResult } from './consumer.port.js';

/** What reading and handling one page came to. */
export type PageResult =
  /** `through`: all events of the consumer up to here are handled. `end`: so are all that were there before the read. */
  | { readonly kind: 'Handled'; readonly through: Position | undefined; readonly end: boolean }
  | { readonly kind: 'Fenced' }
  | { readonly kind: 'Paused' };

interface ReadPage {
  readonly items: readonly EventHeader[];
  readonly next?: Position;
  readonly end: boolean;
}

/** Reads the pages of one consumer and hands them over, one at a time. */
export class ConsumerPages {
  /** Behind this checkpoint no event of the categories lies before `next`: kept in memory only, so that it is not read twice. */
  #empty: { readonly checkpoint: Position | undefined; readonly next: Position } | undefined;
  #isSameHistory = false;
  #limit: number;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    private readonly consumer: Consumer,
    private readonly startedAnew: () => void,
  ) {
    this.#limit = consumer.pageSize;
  }

  /** Waits for a page in hand first. Rejects with what the consumer or the store rejects with; nothing was moved then. */
  next(): Promise<PageResult> {
    const next = this.#turn.then(() => this.#next());
    this.#turn = next.catch(() => undefined);
    return next;
  }

  isPermanent(error: unknown): boolean {
    return error instanceof UnreadableEvent || this.consumer.isPermanent(error);
  }

  async #next(): Promise<PageResult> {
    const checkpoint = await this.#checkpoint();
    const from = checkpoint?.position;
    const after = this.#empty?.checkpoint === from ? (this.#empty?.next ?? from) : from;
    const page = await this.#read(after);
    const { next: through, end } = page;
    const [first, ...rest] = page.items;
    if (first === undefined) {
      if (through !== undefined) this.#empty = { checkpoint: from, next: through };
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
    if (through !== undefined) this.#empty = { checkpoint: handled.to, next: through };
    return { kind: 'Handled', through, end };
  }

  /** Asked once in the life of the process: a store is exchanged for an older copy of itself while nothing has it open. */
  async #checkpoint(): Promise<Checkpoint | undefined> {
    const checkpoint = await this.consumer.checkpoint();
    if (this.#isSameHistory) return checkpoint;
    const witness = checkpoint?.witness;
    if (witness === undefined || (await holdsWitness(this.store, witness))) {
      this.#isSameHistory = true;
      return checkpoint;
    }
    await this.consumer.reset();
    this.startedAnew();
    return this.consumer.checkpoint();
  }

  async #read(after: Position | undefined): Promise<ReadPage> {
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
   * A page that fails for good is tried again in halves, so that all events before the one that can't be handled are
   * handled, and the consumer halts exactly there.
   */
  async #handle(page: ConsumerPage<EventHeader>): Promise<HandleResult> {
    try {
      // `#read` gave what this kind of consumer reads.
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

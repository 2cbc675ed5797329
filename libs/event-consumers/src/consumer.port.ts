import type { EventHeader, HistoryWitness, Position, RecordedEvent } from '@tillstream/event-store';
import type { LeaderLog } from './leader.loop.js';

/** How far a consumer has handled the history. Its consumer stores it, in the same transaction as its effects. */
export interface Checkpoint {
  /** Of an event that was handled with all events of the consumer's categories before it. */
  readonly position: Position;
  /**
   * The history witness: the last event that was handled. If the store does not have it, an older copy of the store was
   * restored. Undefined in checkpoints that were written without one.
   */
  readonly witness: HistoryWitness | undefined;
}

/** The next events of a consumer's categories, at least one, in the order of the store. */
export interface ConsumerPage<Item extends EventHeader> {
  readonly items: readonly [Item, ...Item[]];
  /** What the checkpoint must still be when the handler moves it. Undefined: there must be none yet. */
  readonly from: Position | undefined;
  /** The position of the last item: the checkpoint after the whole page was handled. */
  readonly to: Position;
  /** The last item as a history witness. */
  readonly witness: HistoryWitness;
}

export type HandleResult =
  /** The effects and the new checkpoint are committed. `to` is `page.to`, or the position of an earlier item if the handler stopped there. */
  | { readonly kind: 'Moved'; readonly to: Position }
  /** Another process moved the checkpoint since the page was read. Nothing was written. */
  | { readonly kind: 'Fenced' }
  /**
   * This process can't handle events now, and that is no failure: the tables belong to a newer program, or are being made
   * anew. Nothing was written. The page is read again after the next wake-up or poll.
   */
  | { readonly kind: 'Paused' };

interface ConsumerBase {
  /** Unique; in status, logs and metrics. */
  readonly name: string;
  /** Streams of these categories are read, and no others. */
  readonly categories: readonly string[];
  /** Most items of one page, 1 to 1000. A page is handled in one go: choose so many that it takes a few milliseconds. */
  readonly pageSize: number;
  /**
   * Ms between a wake-up and the read. 0: as soon as possible. A larger value makes fewer and larger pages where effects
   * of neighbouring events cancel each other.
   */
  readonly wakeUpDelayMs: number;
  /** Read before every page. Undefined: nothing was handled yet. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /**
   * The store's history is not the one that was handled: an older copy was restored. Forgets all effects and the
   * checkpoint in one transaction. A consumer whose effects can't be forgotten rejects with a permanent error and halts.
   */
  reset(): Promise<void>;
  /**
   * Whether the same page would fail again until another version of the program runs: an event of an unknown type, data
   * that can't be read. The consumer halts then. All other errors are passing and are retried.
   */
  isPermanent(error: unknown): boolean;
}

/** Is given whole events. */
export interface EventConsumer extends ConsumerBase {
  readonly reads: 'Events';
  /**
   * Commits the effects of the page and the checkpoint `page.to` with `page.witness` in one transaction, if the checkpoint
   * is still `page.from`. Called again with the same events after a crash or an error, so effects outside of that
   * transaction must be idempotent.
   */
  handle(page: ConsumerPage<RecordedEvent>): Promise<HandleResult>;
}

/** Is given heads: most events need not be read at all, and heads cost no parsing. It reads the streams that it needs. */
export interface HeaderConsumer extends ConsumerBase {
  readonly reads: 'Headers';
  /** As of `EventConsumer`. */
  handle(page: ConsumerPage<EventHeader>): Promise<HandleResult>;
}

export type Consumer = EventConsumer | HeaderConsumer;

/** `Running`: also while it waits for events. `Failing`: the last page failed and is retried. `Halted`: needs a newer program. */
export type ConsumerState = 'Running' | 'Failing' | 'Halted';

export interface ConsumerStatus {
  readonly name: string;
  /** As this process knows it. A process that does not lead knows no failures of the leader. */
  readonly state: ConsumerState;
  /** Why it fails or is halted, in one sentence. */
  readonly reason: string | undefined;
  /** Of the last event that was handled by any process; undefined before the first. */
  readonly position: Position | undefined;
  /** Events of its categories after `position`, counted up to `LAG_EVENTS_MAX`. */
  readonly lagEvents: number;
}

/** What a consumer reports to operators. A consumer that keeps its halt in a table for other processes does it here. */
export interface ConsumerLog extends LeaderLog {
  /** It halted on the event after `position`, and is tried again every `HALTED_RETRY_MS`. Reported once for each reason. */
  halted(consumer: string, reason: string, position: Position | undefined): void;
  /** The store has another history than was handled; the consumer starts again from the first event. */
  wasReset(consumer: string): void;
}

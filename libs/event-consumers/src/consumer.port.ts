import type { EventHeader, HistoryWitness, Position, RecordedEvent } from '@tillstream/event-store';
import type { LeaderLog } from './leader.loop.js';

/** How far a consumer has handled the history. The consumer stores it in the transaction of its effects. */
export interface Checkpoint {
  /** The consumer has handled the event at this position, and all events of its categories before it. */
  readonly position: Position;
  /**
   * The last handled event. If the store does not have it, an operator restored an older copy of the store. Undefined in
   * checkpoints that were written without one.
   */
  readonly witness: HistoryWitness | undefined;
}

/** The next events of a consumer's categories, at least one, in the order of the store. */
export interface ConsumerPage<Item extends EventHeader> {
  readonly items: readonly [Item, ...Item[]];
  /** The handler moves the checkpoint only if it is still this one. Undefined: if there is none yet. */
  readonly from: Position | undefined;
  /** The position of the last item: the checkpoint after the whole page. */
  readonly to: Position;
  /** The last item as a history witness. */
  readonly witness: HistoryWitness;
}

export type HandleResult =
  /** The effects and the checkpoint are committed. `to`: the position of the last handled item of the page. */
  | { readonly kind: 'Moved'; readonly to: Position }
  /** Another process moved the checkpoint after the page was read. Nothing was written. */
  | { readonly kind: 'Fenced' }
  /**
   * This process can't handle events now, which is no failure: the tables belong to a newer program or are being rebuilt.
   * Nothing was written. The page is read again after the next wake-up or poll.
   */
  | { readonly kind: 'Paused' };

interface ConsumerBase {
  /** The unique name in status, logs and metrics. */
  readonly name: string;
  /** The consumer reads streams of these categories only. */
  readonly categories: readonly string[];
  /** Most items of one page, 1 to 1000. Choose a size that the consumer handles in a few milliseconds. */
  readonly pageSize: number;
  /**
   * Ms between a wake-up and the read. 0: as soon as possible. A larger value makes fewer and larger pages, which helps if
   * effects of neighbouring events cancel each other.
   */
  readonly wakeUpDelayMs: number;
  /** Called before each page. Undefined: the consumer has handled no event yet. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /**
   * Called when the store has another history than the consumer has handled: an older copy was restored. Deletes all
   * effects and the checkpoint in one transaction. A consumer that can't delete its effects rejects with a permanent error
   * and halts.
   */
  reset(): Promise<void>;
  /**
   * Whether the same page fails until another version of the program runs: an event of an unknown type, unreadable data.
   * The consumer then halts. After any other error the page is repeated.
   */
  isPermanent(error: unknown): boolean;
}

/** Reads whole events. */
export interface EventConsumer extends ConsumerBase {
  readonly reads: 'Events';
  /**
   * Commits the effects of the page and the checkpoint (`page.to` with `page.witness`) in one transaction, if the
   * checkpoint is still `page.from`. Called again with the same events after a crash or an error, so effects outside the
   * transaction must be idempotent.
   */
  handle(page: ConsumerPage<RecordedEvent>): Promise<HandleResult>;
}

/** Reads headers of events, which cost no parsing, and then the streams that it needs. */
export interface HeaderConsumer extends ConsumerBase {
  readonly reads: 'Headers';
  /** As of `EventConsumer`. */
  handle(page: ConsumerPage<EventHeader>): Promise<HandleResult>;
}

export type Consumer = EventConsumer | HeaderConsumer;

/** `Running`: also while it waits for events. `Failing`: the last page failed and is repeated. `Halted`: needs a newer program. */
export type ConsumerState = 'Running' | 'Failing' | 'Halted';

export interface ConsumerStatus {
  readonly name: string;
  /** The state in this process. Failures of a leader in another process are not known here. */
  readonly state: ConsumerState;
  /** Why it fails or is halted, in one sentence. */
  readonly reason: string | undefined;
  /** The position of the last event that any process has handled; undefined before the first. */
  readonly position: Position | undefined;
  /** Events of its categories after `position`, counted up to `LAG_EVENTS_MAX`. */
  readonly lagEvents: number;
}

/** Reports of consumers to operators. */
export interface ConsumerLog extends LeaderLog {
  /** The consumer halted at the event after `position`. It repeats the page every `HALTED_RETRY_MS`. Called once per reason. */
  halted(consumer: string, reason: string, position: Position | undefined): void;
  /** The store has another history than the consumer has handled. The consumer starts again at the first event. */
  wasReset(consumer: string): void;
}

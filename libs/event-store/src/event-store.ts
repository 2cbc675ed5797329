import type { ExpectedRevision, NewEvent, Position, RecordedEvent } from './event.js';

/** An append of more bytes of data and metadata (JSON, UTF-8) than this is refused in every adapter. */
export const APPEND_BYTES_MAX = 1_048_576;

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** At least one. All of them are written or none is. */
  readonly events: readonly NewEvent[];
}

/** A conflict is a value, since the caller decides anew on it. */
export type AppendResult =
  | { readonly kind: 'Appended'; readonly revision: number; readonly position: Position }
  | { readonly kind: 'Conflict'; readonly actual: number | 'none' };

export interface StreamPage {
  readonly events: readonly RecordedEvent[];
  /** Nothing lies further in this direction. */
  readonly end: boolean;
}

export interface ReadStreamOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** Revision of the first event to give, inclusive. Left out: the stream's first, or last when read backwards. */
  readonly from?: number;
  /** At most so many events, 1 to 1000. Left out: 1000. */
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Exclusive; left out: from the beginning. */
  readonly after?: Position;
  /** Only events of streams of these categories. Left out: all. */
  readonly categories?: readonly string[];
  /** At most so many events, 1 to 1000. Left out: 1000. */
  readonly limit?: number;
}

export interface AllPage {
  readonly events: readonly RecordedEvent[];
  /** Go on after here, also when the filter let nothing through. Absent in an empty store read from its beginning. */
  readonly next?: Position;
  readonly end: boolean;
}

/** Where a stream has got to, without what its event says. */
export type EventHeader = Pick<RecordedEvent, 'stream' | 'revision' | 'type' | 'position'>;

export interface HeadersPage extends Pick<AllPage, 'next' | 'end'> {
  readonly headers: readonly EventHeader[];
}

export interface Subscriber {
  /** Called for one event at a time, in order; the next waits until the promise is done. A throw ends the subscription. */
  onEvent(event: RecordedEvent): Promise<void> | void;
  /** All that was written before the call has been handled. Called once, and again after each fall back to catching up. */
  onCaughtUp?(position: Position | undefined): Promise<void> | void;
  /** The filter has let nothing through up to here: a checkpoint may move, all before was handled. */
  onCheckpoint?(position: Position): Promise<void> | void;
  /** The subscription ended by an error of the subscriber or of the store. */
  onFailure?(error: unknown): void;
}

export interface Subscription {
  /** Stops after the event in hand; resolves when the subscriber will not be called again. */
  stop(): Promise<void>;
}

export interface SubscribeToAllOptions {
  readonly after?: Position;
  readonly categories?: readonly string[];
  /** Most events held in memory for this subscriber; beyond it the store is read again. Left out: 1000. */
  readonly buffer?: number;
}

/** Whether an append would work now. */
export interface StoreHealth {
  readonly writable: boolean;
  /** Why not, in one line for an operator. */
  readonly reason?: string;
}

/**
 * The port. Rejections are `EventStoreError`s: `Unavailable` promises that nothing was written, `Unknown` that it
 * can't be told; an unknown append is repeated as it is (same ids, same expected revision) until it is definite.
 */
export interface EventStore {
  append(append: Append): Promise<AppendResult>;
  /** A stream that does not exist is an empty page. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<StreamPage>;
  readAll(options?: ReadAllOptions): Promise<AllPage>;
  /** As `readAll`, without data and metadata, for readers that need few of the events. Adapters that can't read less read the events. */
  readHeaders(options?: ReadAllOptions): Promise<HeadersPage>;
  /** A position that no event lay behind when this was called; undefined in an empty store. Costs one small read. */
  head(): Promise<Position | undefined>;
  /** Catches up from `after`, then goes on live; at least once, in order, without a gap at the hand-over. */
  subscribeToAll(options: SubscribeToAllOptions, subscriber: Subscriber): Subscription;
  /**
   * Calls back soon (tens of ms) after this or another process appended something, without reading it. Several appends may
   * be one call, and a call may be a false alarm. While the store can't be reached calls are lost, so poll as well, slowly.
   * The listener must return at once and not throw. Returns the function that ends it.
   */
  onAppended(listener: () => void): () => void;
  comparePositions(a: Position, b: Position): -1 | 0 | 1;
  /** Ends subscriptions and lets appends in flight finish. */
  close(): Promise<void>;
}

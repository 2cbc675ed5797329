import type { ExpectedRevision, NewEvent, Position, RecordedEvent } from './event.js';

/** Largest append: bytes of data and metadata as JSON in UTF-8. Every adapter refuses a larger one. */
export const APPEND_BYTES_MAX = 1_048_576;

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** At least one. The store writes all of them or none. */
  readonly events: readonly NewEvent[];
}

/** A conflict is a value and no error: the caller decides again. */
export type AppendResult =
  | { readonly kind: 'Appended'; readonly revision: number; readonly position: Position }
  | { readonly kind: 'Conflict'; readonly actual: number | 'none' };

export interface StreamPage {
  readonly events: readonly RecordedEvent[];
  /** No further event exists in this direction. */
  readonly end: boolean;
}

export interface ReadStreamOptions {
  readonly direction?: 'forwards' | 'backwards';
  /** Revision of the first event to return, inclusive. Left out: the first of the stream, or the last when read backwards. */
  readonly from?: number;
  /** Most events of the page, 1 to 1000. Left out: 1000. */
  readonly limit?: number;
}

export interface ReadAllOptions extends Pick<ReadStreamOptions, 'limit'> {
  /** Exclusive. Left out: from the beginning. */
  readonly after?: Position;
  /** Returns only events of streams of these categories. Left out: all. */
  readonly categories?: readonly string[];
}

export interface AllPage {
  readonly events: readonly RecordedEvent[];
  /** Where the next page starts (`after`), also if no event passed the filter. Absent if the store is empty. */
  readonly next?: Position;
  readonly end: boolean;
}

/** An event without its data and metadata. */
export type EventHeader = Pick<RecordedEvent, 'stream' | 'revision' | 'type' | 'position'>;

export interface HeadersPage extends Pick<AllPage, 'next' | 'end'> {
  readonly headers: readonly EventHeader[];
}

export interface Subscriber {
  /** Called for one event at a time, in order, after the promise of the call before has settled. A throw ends the subscription. */
  onEvent(event: RecordedEvent): Promise<void> | void;
  /** The subscriber has handled all events written before this call. Called again each time the subscription has caught up. */
  onCaughtUp?(position: Position | undefined): Promise<void> | void;
  /** No event up to this position is left to handle: the subscriber may move its checkpoint. */
  onCheckpoint?(position: Position): Promise<void> | void;
  /** The subscription ended because of an error of the subscriber or of the store. */
  onFailure?(error: unknown): void;
}

export interface Subscription {
  /** Stops after the event that the subscriber is handling. Resolves when the subscriber will not be called again. */
  stop(): Promise<void>;
}

export interface SubscribeToAllOptions extends Pick<ReadAllOptions, 'after' | 'categories'> {
  /** Most events held in memory for this subscriber. Left out: the adapter's own limit. */
  readonly buffer?: number;
}

/** The headers of a page of events, for stores that can only read whole events. */
export function toHeadersPage({ events, ...place }: AllPage): HeadersPage {
  const headers = events.map(({ stream, revision, type, position }) => ({
    stream,
    revision,
    type,
    position,
  }));
  return { headers, ...place };
}

/** Whether the store can write now. */
export interface StoreHealth {
  readonly writable: boolean;
  /** Why it can't write, in one line for an operator. */
  readonly reason?: string;
}

/**
 * The port. Rejections are `EventStoreError`s. After `Unavailable` nothing was written. After `Unknown` the caller repeats
 * the same append (same ids, same expected revision) until the result is definite.
 */
export interface EventStore {
  append(append: Append): Promise<AppendResult>;
  /** Returns an empty page for a stream that does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<StreamPage>;
  readAll(options?: ReadAllOptions): Promise<AllPage>;
  /** As `readAll`, without data and metadata, for readers that need few of the events. */
  readHeaders(options?: ReadAllOptions): Promise<HeadersPage>;
  /** The position of the last event, or a later one without an event; undefined in an empty store. Costs one small read. */
  head(): Promise<Position | undefined>;
  /** Delivers all events after `after`, then new ones: at least once, in order, without a gap. */
  subscribeToAll(options: SubscribeToAllOptions, subscriber: Subscriber): Subscription;
  /**
   * Calls the listener some 10 ms after this or another process appended an event. One call may stand for several appends
   * or for none. Calls are lost while the store can't be reached, so the caller must poll as well, slowly. The listener
   * must return at once and not throw. Returns the function that removes it.
   */
  onAppended(listener: () => void): () => void;
  comparePositions(a: Position, b: Position): -1 | 0 | 1;
  /** Ends the subscriptions, and waits for appends in flight. */
  close(): Promise<void>;
}

export type EventStoreErrorCode =
  /** Nothing was written, and a repeat may work: no disk space, read-only, busy, closed. */
  | 'Unavailable'
  /** The store can't say whether it wrote the append. */
  | 'Unknown'
  /** More than `APPEND_BYTES_MAX`. */
  | 'TooLarge'
  /** No event, an empty stream name or type, an id that is no UUID, a value that is no JSON. */
  | 'Invalid';

export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
  constructor(
    readonly code: EventStoreErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

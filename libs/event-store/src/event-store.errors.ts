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

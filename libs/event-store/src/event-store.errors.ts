export type EventStoreErrorCode =
  /** Nothing was written, and trying again may work: no disk space, read-only, busy, closed. */
  | 'Unavailable'
  /** It can't be told whether the append was written. */
  | 'Unknown'
  /** More than `MAX_APPEND_BYTES`. */
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

export interface IncomingEvent {
  /** `event.id`: an event is stored once, however often it is delivered. */
  readonly eventId: string;
  readonly eventType: string;
  /** The verified bytes. */
  readonly body: Uint8Array;
  /** Unix milliseconds. */
  readonly receivedAt: number;
}

export interface StoredEvent {
  readonly eventId: string;
  readonly body: Uint8Array;
}

/**
 * Where a receiver stores events before it answers. `MemoryInbox`, `SqliteInbox` and `PostgresInbox` implement it. All times
 * are unix milliseconds.
 */
export interface WebhookInbox {
  /**
   * Stores the event unless its id is stored already. Resolves when it survives a crash of the machine; rejects if that is
   * not certain.
   */
  save(event: IncomingEvent): Promise<'Saved' | 'Duplicate'>;
  /**
   * The oldest event that is not handled and that no claim holds at `now`; undefined if there is none. The new claim ends
   * at `until`, so that another process can handle the event if this one dies.
   */
  claim(time: { readonly now: number; readonly until: number }): Promise<StoredEvent | undefined>;
  /** Marks the event as handled: it is not claimed again. */
  done(eventId: string, now: number): Promise<void>;
  /**
   * Removes the bodies of events that were handled before this time, and returns how many. The ids stay, so that a
   * delivery that is repeated later is still a duplicate.
   */
  forgetBodies(handledBefore: number): Promise<number>;
}

export const DEFAULT_TABLE = 'tillstream_webhooks';
/** Names that need no quotes in SQL, so that a name can't be a statement. */
export const TABLE_NAME = /^[a-z_][a-z0-9_]{0,50}$/;

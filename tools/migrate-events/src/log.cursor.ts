import {
  UnreadableEvent,
  type AllPage,
  type EventStore,
  type Position,
  type ReadAllOptions,
  type RecordedEvent,
} from '@tillstream/event-store';
import { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { setImmediate } from 'node:timers/promises';

/** One event may have 1 MiB. */
const PAGE_EVENTS = 500;

/** A forward cursor in a store's log. Holds one page in memory. */
export class LogCursor {
  #page: readonly RecordedEvent[] = [];
  #at = 0;
  #after: Position | undefined;
  #passed = 0;
  #limit = PAGE_EVENTS;

  constructor(
    private readonly read: (options: ReadAllOptions) => Promise<AllPage>,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Returns the next events in order, without passing them; none at the current end of the log. Throws the signal's reason
   * if it is aborted, and `UnreadableEvent` at an event that can't be read.
   */
  async ahead(): Promise<readonly RecordedEvent[]> {
    while (this.#at === this.#page.length) {
      // The embedded store answers synchronously; signals and writes need a turn of the event loop.
      await setImmediate();
      this.signal.throwIfAborted();
      const page = await this.#read();
      if (page === undefined) continue;
      this.#page = page.events;
      this.#at = 0;
      this.#after = page.next ?? this.#after;
      if (page.events.length === 0 && (page.end || page.next === undefined)) return [];
    }
    return this.#at === 0 ? this.#page : this.#page.slice(this.#at);
  }

  /** Returns undefined for a page with an unreadable event; from there on events are read one by one. */
  async #read(): Promise<AllPage | undefined> {
    try {
      return await this.read({
        limit: this.#limit,
        ...(this.#after !== undefined && { after: this.#after }),
      });
    } catch (error) {
      if (!(error instanceof UnreadableEvent) || this.#limit === 1) throw error;
      this.#limit = 1;
      return undefined;
    }
  }

  pass(count: number): void {
    this.#at += count;
    this.#passed += count;
  }

  get passed(): number {
    return this.#passed;
  }
}

/** Returns the number of events if the store knows it without reading: positions of the embedded store have no gaps. */
export function knownCount(store: EventStore): number | undefined {
  if (!(store instanceof SqliteEventStore)) return undefined;
  return store.query<{ head: number | null }>('SELECT max(position) AS head FROM events')[0]?.head ?? 0;
}

/** Moves the cursor to the current end of the log. Returns the number of events that it passed. */
export async function walkToEnd(cursor: LogCursor, onPassed?: (events: number) => void): Promise<number> {
  const start = cursor.passed;
  for (let events; (events = await cursor.ahead()).length > 0;) {
    cursor.pass(events.length);
    onPassed?.(events.length);
  }
  return cursor.passed - start;
}

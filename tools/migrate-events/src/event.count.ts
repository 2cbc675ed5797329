import type { EventStore } from '@tillstream/event-store';
import { SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { LogCursor } from './log.cursor.js';

/** Returns the number of events if the store knows it without reading: positions of the embedded store have no gaps. */
export function knownCount(store: EventStore): number | undefined {
  if (!(store instanceof SqliteEventStore)) return undefined;
  return store.query<{ head: number | null }>('SELECT max(position) AS head FROM events')[0]?.head ?? 0;
}

/** Moves the cursor to the current end of the log. Returns the number of events that it passed. */
export async function walkToEnd(cursor: LogCursor, onPassed: (events: number) => void): Promise<number> {
  const start = cursor.passed;
  for (let events; (events = await cursor.ahead()).length > 0;) {
    cursor.pass(events.length);
    onPassed(events.length);
  }
  return cursor.passed - start;
}

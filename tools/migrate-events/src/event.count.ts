import type { EventStore } from '@tillstream/event-store';
import { SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { LogCursor } from './log.cursor.js';

/** How many events a store holds, where it can tell without reading them: positions in the embedded file have no gaps. */
export function knownCount(store: EventStore): number | undefined {
  if (!(store instanceof SqliteEventStore)) return undefined;
  return store.query<{ head: number | null }>('SELECT max(position) AS head FROM events')[0]?.head ?? 0;
}

/** Goes to the log's end as it is now, and gives how many events were on the way. */
export async function walkToEnd(cursor: LogCursor, progress: (events: number) => void): Promise<number> {
  const since = cursor.passed;
  for (let events; (events = await cursor.ahead()).length > 0;) {
    cursor.pass(events.length);
    progress(events.length);
  }
  return cursor.passed - since;
}

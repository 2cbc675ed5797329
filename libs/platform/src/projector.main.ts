import type { EventStore } from '@tillstream/event-store';
import { serveProjector } from '@tillstream/read-models';
import { eventsFile } from './events.file.js';

/* A thread of the service: keeps the lists up to date from the events, which it reads on a connection of its own. */

const SQLITE = 'sqlite:';

/** Loads only the store that is meant: the client of EventStoreDB takes longer to load than all the rest. */
async function open(address: string): Promise<EventStore> {
  if (address.startsWith(SQLITE)) {
    const { openSqliteEventStore } = await import('@tillstream/event-store-sqlite');
    return openSqliteEventStore({ file: eventsFile(address.slice(SQLITE.length)), readOnly: true });
  }
  const { openEventStoreAt } = await import('./store.address.js');
  return openEventStoreAt(address, { readOnly: true });
}

await serveProjector((address) => open(String(address)));

import { dirname, join } from 'node:path';
import type { EventStore } from '@tillstream/event-store';
import { refuseEmptyHistory, refuseLostEventsFile } from '../data-directory/lost.events.js';
import { eventsFile } from './events.file.js';
import { isServerAddress, nameOfAddress, openEventStoreAt } from './store.address.js';

/**
 * Opens the events at an address to be read, for a command that is given no settings of a service. Rejects with a `ConfigError` where they are lost: the data
 * directory shows that it was used, and the store is missing or holds none; else as `openEventStoreAt`.
 *
 * @param dataDir left out: the directory of an `events.db`; none for a server
 */
export async function openEventsToRead(address: string, dataDir?: string): Promise<EventStore> {
  const isServer = isServerAddress(address);
  const file = isServer ? undefined : eventsFile(address.replace(/^sqlite:/, ''));
  const directory = dataDir ?? (file === undefined ? undefined : dirname(file));
  if (directory !== undefined && file === join(directory, 'events.db')) {
    refuseLostEventsFile({ dataDir: directory, eventStore: 'sqlite' });
  }
  const store = await openEventStoreAt(address, { readOnly: true });
  try {
    if (directory !== undefined) {
      await refuseEmptyHistory(directory, file ?? nameOfAddress(address), store);
    }
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

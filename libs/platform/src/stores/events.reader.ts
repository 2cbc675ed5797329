import { dirname, join } from 'node:path';
import type { EventStore } from '@tillstream/event-store';
import { assertHistoryNotLost, assertEventsFileNotLost } from '../data-directory/lost-events.check.js';
import { isServerAddress, displayAddress, openEventStoreAt, resolveEventsFile } from './store.address.js';

/**
 * Opens the events at an address read-only, for a command without the settings of a service. Rejects with a `ConfigError` if
 * the events are lost, else as `openEventStoreAt`.
 * @param dataDir left out: the directory of `events.db`; none for a server
 */
export async function openEventsToRead(address: string, dataDir?: string): Promise<EventStore> {
  const isServer = isServerAddress(address);
  const file = isServer ? undefined : resolveEventsFile(address.replace(/^sqlite:/, ''));
  const directory = dataDir ?? (file === undefined ? undefined : dirname(file));
  if (directory !== undefined && file === join(directory, 'events.db')) {
    assertEventsFileNotLost({ dataDir: directory, eventStore: 'sqlite' });
  }
  const store = await openEventStoreAt(address, { readOnly: true });
  try {
    if (directory !== undefined) {
      await assertHistoryNotLost(directory, file ?? displayAddress(address), store);
    }
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

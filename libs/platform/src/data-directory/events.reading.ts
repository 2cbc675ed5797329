import { dirname, join } from 'node:path';
import type { EventStore } from '@tillstream/event-store';
import type { Config } from '../config.js';
import { eventsFile } from '../events.file.js';
import { eventStoreAddress } from '../read-models.opening.js';
import { isServerAddress, nameOfAddress, openEventStoreAt } from '../store.address.js';
import { refuseEmptyHistory, refuseLostEventsFile } from './lost.events.js';
import { refuseLostFiles } from './lost.files.js';
import { isMissing } from './traces.of.use.js';

/**
 * Opens the events at an address to be read, for a command. Rejects with a `ConfigError` where they are lost: the data
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

/** Looks at a whole data directory for a command, and makes nothing. @throws ConfigError where a file of it is lost */
export async function refuseLostData(config: Config): Promise<void> {
  refuseLostEventsFile(config);
  const address = eventStoreAddress(config);
  if (!isServerAddress(address) && isMissing(join(config.dataDir, 'events.db'))) return;
  const store = await openEventsToRead(address, config.dataDir);
  try {
    await refuseLostFiles(config, store);
  } finally {
    await store.close();
  }
}

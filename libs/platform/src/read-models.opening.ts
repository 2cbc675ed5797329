import { join } from 'node:path';
import type { EventStore } from '@tillstream/event-store';
import type { ReadModelWriter, WrittenStream } from '@tillstream/payments';
import type { ReadModels } from '@tillstream/read-models';
import { openReadModels } from '@tillstream/read-models-sqlite';
import type { Config } from './config.js';
import type { Log } from './log.js';
import { nameOfStore } from './store.address.js';

const PROJECTOR = new URL('../dist/bundled/projector.main.js', import.meta.url);

/** The lists of the data directory. A projector's thread opens the event store anew, by its address. */
export function openLists(
  config: Pick<Config, 'dataDir' | 'eventStore' | 'eventStoreDb'>,
  store: EventStore,
  log: Log,
): Promise<ReadModels> {
  const address = eventStoreAddress(config);
  return openReadModels({
    directory: join(config.dataDir, 'read-models'),
    store,
    // Positions of one store mean nothing in another: after a change of stores the lists are made anew.
    source: nameOfStore(address),
    projectorThread: { file: PROJECTOR, store: address },
    log: {
      info: (event, fields) => log.info(event, fields),
      warn: (event, fields) => log.warn(event, fields),
      failed: (event, fields) => log.error(event, fields),
    },
  });
}

/** Whoever appends tells the lists before it answers. */
export function rowsThrough({ writer }: Pick<ReadModels, 'writer'>): ReadModelWriter {
  return {
    written(told: WrittenStream): Promise<void> {
      switch (told.category) {
        case 'payment':
          return writer.writeThrough('payment', told);
        case 'token':
          return writer.writeThrough('token', told);
        case 'holder':
          return writer.writeThrough('holder', told);
        case 'merchant':
          return writer.writeThrough('merchant', told);
        case 'batch':
          return writer.writeThrough('batch', told);
      }
    },
  };
}

/** For `openEventStoreAt`: where the settings say that the events are. */
export function eventStoreAddress({
  dataDir,
  eventStore,
  eventStoreDb: { url },
}: Pick<Config, 'dataDir' | 'eventStore' | 'eventStoreDb'>): string {
  return eventStore === 'eventstoredb' && url !== undefined ? url : `sqlite:${dataDir}`;
}

import { join } from 'node:path';
import type { ReadModelWriter, WrittenStream } from '@tillstream/payments';
import type { ReadModels, ReadModelsLog } from '@tillstream/read-models';
import { openReadModels } from '@tillstream/read-models-sqlite';
import { pathExists } from '../files/path.stats.js';
import type { Log } from '../logging/log.js';
import { StoreNotFound, type StoreOpeningContext } from './store-opening.context.js';
import { eventStoreAddress, type HealthyEventStore } from './store.address.js';

const PROJECTOR = new URL('../../dist/bundled/projector.main.js', import.meta.url);

/**
 * Opens the lists of the data directory. The service projects them in a thread, which opens the events by their address.
 * @param source the store's name. After a change of the store the lists are rebuilt, because positions differ.
 */
export function openDirectoryReadModels(
  { config, access, readModelUse, log: all }: StoreOpeningContext,
  store: HealthyEventStore,
  source: string,
): Promise<ReadModels> {
  const { dataDir } = config;
  const directory = join(dataDir, 'read-models');
  if (access !== 'serve' && readModelUse === 'Read' && !pathExists(directory)) {
    throw new StoreNotFound(`There are no lists in DATA_DIR "${dataDir}" yet; start the service once.`);
  }
  const log = readModelsLog(all);
  if (access !== 'serve') {
    return openReadModels({ directory, store, source, keepDamaged: readModelUse !== 'Rebuilt', log });
  }
  const projectorThread = { file: PROJECTOR, store: eventStoreAddress(config) };
  return openReadModels({ directory, store, source, projectorThread, log });
}

export function readModelsLog(all: Log): ReadModelsLog {
  return {
    info: (event, fields) => all.info(event, fields),
    warn: (event, fields) => all.warn(event, fields),
    failed: (event, fields) => all.error(event, fields),
  };
}

export function readModelWriteThrough({ writer }: Pick<ReadModels, 'writer'>): ReadModelWriter {
  return {
    writeThrough(stream: WrittenStream): Promise<void> {
      switch (stream.category) {
        case 'payment':
          return writer.writeThrough('payment', stream);
        case 'token':
          return writer.writeThrough('token', stream);
        case 'holder':
          return writer.writeThrough('holder', stream);
        case 'merchant':
          return writer.writeThrough('merchant', stream);
        case 'batch':
          return writer.writeThrough('batch', stream);
        case 'settlement':
          return writer.writeThrough('settlement', stream);
        case 'settlementpage':
          return writer.writeThrough('settlementpage', stream);
      }
    },
  };
}

import { join } from 'node:path';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import { openSqliteDeliveryStore } from '@tillstream/webhook-delivery-sqlite';
import { pathExists } from '../files/path.stats.js';
import { StoreNotFound, type StoreOpeningContext } from '../stores/store-opening.context.js';

/**
 * Opens the deliveries of the data directory.
 * @param source the store's name. After a change of the store the deliveries are made again, because positions differ.
 */
export function openDirectoryDeliveries(
  { config: { dataDir }, access, log }: StoreOpeningContext,
  source: string,
): DeliveryStore {
  const directory = join(dataDir, 'webhooks');
  if (access !== 'serve' && !pathExists(directory))
    throw new StoreNotFound(`There are no webhooks in DATA_DIR "${dataDir}" yet; start the service once.`);
  return openSqliteDeliveryStore({
    directory,
    source,
    onDamage: (movedTo, reason) => log.warn('webhooks-damaged', { file: directory, movedTo, reason }),
  });
}

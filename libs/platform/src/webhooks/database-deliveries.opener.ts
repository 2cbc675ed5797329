import type { Postgres } from '@tillstream/postgres-driver';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import {
  openPostgresDeliveryStore,
  presentPostgresDeliveryStore,
} from '@tillstream/webhook-delivery-postgres';
import type { StoreOpeningContext } from '../stores/store-opening.context.js';

/**
 * Opens the deliveries that several machines share.
 * @param source the store's name. After a change of the store the deliveries are made again, because positions differ.
 */
export async function openDatabaseDeliveries(
  { access }: StoreOpeningContext,
  database: Postgres,
  source: string,
): Promise<DeliveryStore> {
  const options = { database, source };
  return access === 'serve' ? openPostgresDeliveryStore(options) : presentPostgresDeliveryStore(options);
}

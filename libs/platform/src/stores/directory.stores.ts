import { openDirectoryDeliveries } from '../webhooks/deliveries.opener.js';
import { openDirectoryReadModels } from './read-models.opener.js';
import { once, type StoreOpeningContext } from './store-opening.context.js';
import type { HealthyEventStore } from './store.address.js';
import type { Stores } from './stores.js';

/** The stores that are made from the events, in files of the data directory, with the leases of its processes. */
export function directoryStores(
  opening: StoreOpeningContext,
  name: string,
  events: () => Promise<HealthyEventStore>,
): Pick<Stores, 'readModels' | 'deliveries' | 'leases'> {
  const readModels = once(async () => {
    const lists = await openDirectoryReadModels(opening, await events(), name);
    opening.closeLater({ close: () => lists.stop() });
    return lists;
  });
  return {
    readModels,
    deliveries: once(async () => {
      await events();
      return opening.closeLater(openDirectoryDeliveries(opening, name));
    }),
    leases: once(async () => (await readModels()).leases),
  };
}

/** Why the store can't be written now; empty if it can. */
export async function storeTrouble(store: HealthyEventStore): Promise<readonly string[]> {
  const { writable, reason } = await store.health();
  return writable ? [] : [`the event store can not be written: ${reason ?? 'no reason given'}`];
}

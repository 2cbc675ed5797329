import { once, type StoreOpeningContext } from './store-opening.context.js';
import { eventStoreAddress, storeName } from './store.address.js';
import type { Stores } from './stores.js';

/** `postgresStores`, loaded on demand: the driver takes long to load, and only this profile needs it. */
export function postgresProfile(opening: StoreOpeningContext): Stores {
  const stores = once(async () => (await import('./postgres.stores.js')).postgresStores(opening));
  return {
    name: storeName(eventStoreAddress(opening.config)),
    events: async () => (await stores()).events(),
    idempotency: async () => (await stores()).idempotency(),
    workQueue: async () => (await stores()).workQueue(),
    clock: async () => (await stores()).clock(),
    clockOffset: async () => (await stores()).clockOffset(),
    vault: async () => (await stores()).vault(),
    vaultStatus: async () => (await stores()).vaultStatus(),
    readModels: async () => (await stores()).readModels(),
    deliveries: async () => (await stores()).deliveries(),
    leases: async () => (await stores()).leases(),
    trouble: async () => (await stores()).trouble(),
    close: () => opening.close(),
  };
}

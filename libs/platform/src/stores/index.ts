export { openEventsToRead } from './events.reader.js';
export { resolveEventsFile } from './events-db.path.js';
export { readModelWriteThrough } from './read-models.opener.js';
export { retryWhileUnavailable } from './startup.retry.js';
export {
  isServerAddress,
  displayAddress,
  openEventStoreAt,
  STORE_ADDRESSES,
  type HealthyEventStore,
} from './store.address.js';
export { StoreNotFound } from './store.errors.js';
export { locateVault, createStores, withStores, type Stores, type StoresOptions } from './stores.js';
export { openVault, vaultLocation, type OpenedVault, type VaultLocation } from './vault.opener.js';

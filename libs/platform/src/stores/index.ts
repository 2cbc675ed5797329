export { openEventsToRead } from './events.reading.js';
export { eventsFile } from './events.file.js';
export { rowsThrough } from './lists.opening.js';
export { onceAvailable } from './starting.patience.js';
export {
  isServerAddress,
  nameOfAddress,
  openEventStoreAt,
  STORE_ADDRESSES,
  type HealthyEventStore,
} from './store.address.js';
export { StoreNotFound } from './store.errors.js';
export { findVaultOf, storesOf, withStores, type Stores, type StoresOptions } from './stores.js';
export { openVault, vaultPlaceOf, type ChosenVault, type VaultKeyPlace } from './vault.choice.js';

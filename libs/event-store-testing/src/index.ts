export {
  eventStoreContract,
  numberedEvent,
  numberedEvents,
  type StorePlace,
  type StoresUnderTest,
} from './event-store.contract.js';
export { readAllPages } from './read.contract.js';
export * from './stores.js';

export { checkEventStoreDbUrl } from './connection/server.settings.js';
export {
  openEventStoreDb,
  type EventStoreDbOptions,
  type EventStoreDbStore,
} from './event-store-db.store.js';

export { checkEventStoreDbUrl } from './check.address.js';
export type { EventStoreDbStore } from './event-store-db.store.js';
export { openEventStoreDb, type EventStoreDbOptions } from './open-event-store-db.js';

export type { EventStoreDbStore } from './event-store-db.store.js';
export { checkEventStoreDbUrl, openEventStoreDb, type EventStoreDbOptions } from './open-event-store-db.js';

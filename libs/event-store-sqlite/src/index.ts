export { isSqliteFileInUse } from './file-in-use.js';
export { openSqliteEventStore, type SqliteEventStoreOptions } from './open-sqlite-event-store.js';
export { restoreEvent, type Restoration } from './repair/event.restoration.js';
export { SqliteEventStore } from './sqlite-event-store.js';
export type { SqlValue, WriteStep, WriteStepResult, WriteUnitResult } from './writer/write-unit.js';

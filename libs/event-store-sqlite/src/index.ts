export { isInUse } from './file.use.js';
export { openSqliteEventStore, type SqliteEventStoreOptions } from './open-sqlite-event-store.js';
export { SqliteEventStore } from './sqlite-event-store.js';
export type { SqlValue, Step, StepResult, UnitResult } from './unit.js';

export { feedAnewAfterRestore, feedFrom, lookAtEventSource, rememberedEventSource } from './event-source.js';
export { openSqliteIdempotency } from './sqlite-idempotency.js';
export { lookAtSqliteOpenWork, openSqliteOpenWork } from './sqlite-open-work.js';

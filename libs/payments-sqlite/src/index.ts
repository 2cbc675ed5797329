export { feedFrom, rememberedEventSource } from './event-source.js';
export { openSqliteIdempotency } from './sqlite-idempotency.js';
export { openSqliteOpenWork } from './sqlite-open-work.js';

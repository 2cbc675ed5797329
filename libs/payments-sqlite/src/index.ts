export { openSqliteIdempotency } from './sqlite-idempotency.js';
export { openSqliteOpenWork } from './sqlite-open-work.js';

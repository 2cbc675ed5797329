export {
  hasWorkQueueCheckpoint,
  resetAfterRestore,
  setEventSource,
  storedEventSource,
} from './event-source.js';
export { PAYMENTS_MIGRATIONS } from './payments.tables.js';
export {
  openPostgresClockOffset,
  storedClockOffset,
  type PostgresClockOffset,
} from './postgres-clock-offset.js';
export { openPostgresIdempotency } from './postgres-idempotency.js';
export { openPostgresLeases } from './postgres-leases.js';
export { openPostgresWorkQueue } from './postgres-work-queue.js';

export {
  resetAfterRestore,
  setEventSource,
  hasWorkQueueCheckpoint,
  inspectEventSource,
  storedEventSource,
} from './event-source.js';
export { inspectSqliteClockOffset, openSqliteClockOffset } from './sqlite-clock-offset.js';
export { hasStoredResponses, openSqliteIdempotency } from './sqlite-idempotency.js';
export { inspectSqliteWorkQueue, openSqliteWorkQueue } from './sqlite-work-queue.js';

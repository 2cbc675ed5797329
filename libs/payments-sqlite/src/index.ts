export {
  feedAnewAfterRestore,
  feedFrom,
  hasFedOpenWork,
  lookAtEventSource,
  rememberedEventSource,
} from './event-source.js';
export { lookAtSqliteClockOffset, openSqliteClockOffset } from './sqlite-clock-offset.js';
export { holdsKeptAnswers, openSqliteIdempotency } from './sqlite-idempotency.js';
export { lookAtSqliteOpenWork, openSqliteOpenWork } from './sqlite-open-work.js';

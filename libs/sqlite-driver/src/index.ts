export { isBusy } from './busy.js';
export { openDatabase } from './open.database.js';
export { useWriteAheadLog } from './write-ahead.log.js';

export { isBusy } from './busy.js';
export { openDatabase } from './open.database.js';
export { ReadQueue } from './read.queue.js';
export { useWriteAheadLog } from './write-ahead.log.js';

export { isBusy } from './busy.js';
export { namingFile } from './named.fault.js';
export { openDatabase } from './open.database.js';
export { ReadQueue } from './read.queue.js';
export { useWriteAheadLog } from './write-ahead.log.js';

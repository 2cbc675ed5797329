export { isBusy } from './busy.error.js';
export { withFileName } from './error-file-name.js';
export { openDatabase } from './open.database.js';
export { ReadQueue } from './read.queue.js';
export { enableWriteAheadLog } from './write-ahead.log.js';

export { blockWhileBusy, enableWriteAheadLog } from './busy.retry.js';
export { openDatabase } from './open.database.js';
export { ReadQueue } from './read.queue.js';
export { errorCode, isBusy, withFileName } from './sqlite.errors.js';

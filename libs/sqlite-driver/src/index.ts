export { blockWhileBusy, enableWriteAheadLog } from './busy.retry.js';
export { copyDatabase, findDamage, type DatabaseCopyOptions } from './database.copy.js';
export { openDatabase } from './open.database.js';
export { ReadQueue } from './read.queue.js';
export { errorCode, isBusy, withFileName } from './sqlite.errors.js';

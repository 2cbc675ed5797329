export { openDatabase } from './open.database.js';

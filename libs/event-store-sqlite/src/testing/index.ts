export { openBareDatabase } from './bare-database.js';

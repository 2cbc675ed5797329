export * from './folder.testing.js';
export { choosing, MERCHANTS } from './happenings.testing.js';
export * from './lives.testing.js';
export * from './transactions.table.js';

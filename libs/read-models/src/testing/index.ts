export { choosing, MERCHANTS } from './happenings.testing.js';
export * from './lives.testing.js';
export * from './many.transactions.js';

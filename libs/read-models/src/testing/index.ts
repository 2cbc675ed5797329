export { choosing, MERCHANTS } from './happenings.testing.js';
export * from './listed.operations.js';
export * from './lives.testing.js';
export * from './many.transactions.js';
export * from './told.log.js';
export { numbering, type Numbering } from './numbering.example.js';

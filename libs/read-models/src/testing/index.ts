export { randomPaymentDecision, seededChoice, MERCHANTS } from './random-decisions.testing.js';
export * from './listed.operations.js';
export * from './random-histories.testing.js';
export * from './many.rows.js';
export * from './many.transactions.js';
export * from './recorded.log.js';
export { numbering, type Numbering } from './numbering.example.js';

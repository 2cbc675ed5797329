export * from './fees.js';
export * from './funding-date.js';
export * from './settlement.events.js';
export * from './settlement.kinds.js';
export * from './settlement.sums.js';
export * from './settlement.js';

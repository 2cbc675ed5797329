export * from './fill.list.js';
export * from './fill.transactions.js';
export * from './folder.testing.js';

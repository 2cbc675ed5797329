export * from './fill.transactions.js';
export * from './folder.testing.js';

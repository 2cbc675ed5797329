export * from './history.item.js';
export * from './payment-method.details.js';
export * from './transaction.result.js';

export * from './database.js';
export * from './paid.orders.js';
export * from './receiver.app.js';

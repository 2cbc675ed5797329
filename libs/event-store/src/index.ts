export * from './event.js';
export * from './event-store.js';
export * from './event-store.errors.js';
export * from './transact.js';

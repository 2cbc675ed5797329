export * from './adjustment.js';
export * from './batch.events.js';
export * from './batch.js';
export * from './batch.cut-off.js';

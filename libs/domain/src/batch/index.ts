export * from './batch.js';
export * from './batch.cut-off.js';

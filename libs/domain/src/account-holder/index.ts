export * from './holder.js';
export * from './external-id.js';

export type * from './three-ds.events.js';
export * from './three-ds.steps.js';

export * from './attempt.js';
export type * from './attempt.events.js';
export type * from './attempt.response.js';
export * from './attempt.steps.js';

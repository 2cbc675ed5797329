export * from './attempt.js';
export * from './attempt.steps.js';

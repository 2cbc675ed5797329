export type * from './consent.js';
export * from './form.steps.js';
export * from './hosted-form.js';

export * from './pricing-template.js';
export * from './pricing-template.decide.js';

export * from './codec.js';
export * from './codes.js';
export * from './decision.js';
export * from './ids.js';
export * from './money.js';
export * from './personal-data.js';

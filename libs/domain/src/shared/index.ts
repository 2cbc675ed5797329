export * from './codec.js';
export * from './codes.js';
export * from './decision.js';
export type * from './event.shapes.js';
export * from './fold.js';
export * from './ids.js';
export * from './impossible-history.js';
export * from './money.js';
export * from './personal-data.js';

export * from './aggregate.js';
export * from './codes.js';
export type * from './event.shapes.js';
export * from './ids.js';
export * from './money.js';
export * from './pick.js';

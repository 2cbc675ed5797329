export * from './notice.codec.js';
export * from './notice.decide.js';
export type * from './notice.events.js';

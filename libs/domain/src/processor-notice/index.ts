export * from './processor-notice.codec.js';
export * from './processor-notice.decide.js';
export type * from './processor-notice.events.js';

export * from './month.js';
export * from './month-end.events.js';
export * from './month-end.js';

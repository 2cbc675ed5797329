export * from './resolution.codec.js';
export * from './resolution.decide.js';
export * from './resolution.events.js';
export * from './resolution.state.js';

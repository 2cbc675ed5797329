export * from './manual-resolution.codec.js';
export * from './manual-resolution.decide.js';
export * from './manual-resolution.events.js';
export * from './manual-resolution.state.js';

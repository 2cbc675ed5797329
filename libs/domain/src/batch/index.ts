export * from './batch.stream.js';
export type * from './batch.events.js';
export * from './batch.codec.js';
export * from './batch.state.js';
export * from './batch.decide.js';
export * from './batch.evolve.js';
export * from './batch.cut-off.js';

export * from './holder.stream.js';
export type * from './holder.events.js';
export * from './holder.codec.js';
export * from './holder.state.js';
export * from './holder.decide.js';
export * from './holder.evolve.js';
export * from './external-id.js';

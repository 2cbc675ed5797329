export * from './holder.codec.js';
export * from './holder.decide.js';
export * from './holder.events.js';
export * from './holder.state.js';

export * from './merchant.stream.js';
export type * from './merchant.events.js';
export * from './merchant.codec.js';
export * from './merchant.state.js';
export * from './merchant.decide.js';
export * from './payment-method.decide.js';
export * from './merchant.evolve.js';
export * from './api-key.js';

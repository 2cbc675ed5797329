export * from './merchant.codec.js';
export * from './merchant.decide.js';
export * from './merchant.events.js';
export * from './merchant.state.js';
export * from './payment-method.decide.js';

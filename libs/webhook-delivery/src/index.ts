export * from './delivery.store.port.js';
export * from './delivery.types.js';
export * from './sending/index.js';

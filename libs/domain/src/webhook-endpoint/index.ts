export * from './webhook-event.types.js';
export * from './webhook-endpoint.js';
export * from './webhook-endpoint.decide.js';

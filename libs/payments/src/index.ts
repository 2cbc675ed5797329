export * from './clock.port.js';
export * from './crash-points.port.js';
export * from './idempotency.port.js';
export * from './open-work.port.js';
export * from './provisioning.types.js';
export * from './request.types.js';
export * from './timings.js';
export * from './use-cases.types.js';

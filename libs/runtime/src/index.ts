export * from './backoff.js';
export * from './worker-host.js';

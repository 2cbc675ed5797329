export * from './backoff.js';
export * from './wake-signal.js';
export * from './worker-host.js';

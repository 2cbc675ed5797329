export * from './backoff.js';
export * from './cached-lookup.js';
export * from './error-message.js';
export * from './http-server.js';
export * from './thread-priority.js';
export * from './with-timeout.js';
export * from './wake-signal.js';
export * from './worker-host.js';

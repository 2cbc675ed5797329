/* Streams of the service itself. Other services that reuse the domain do not need them. */
export * from './admin-keys/admin-keys.js';
export * from './personal-data-audit/personal-data-audit.js';
export * from './processor-switch/processor-switch.js';
export * from './projection-rebuild/projection-rebuild.js';

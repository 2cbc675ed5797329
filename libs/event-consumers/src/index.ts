export * from './consumer.port.js';
export * from './consumer.group.js';
export * from './leases.port.js';
export * from './memory-leases.js';

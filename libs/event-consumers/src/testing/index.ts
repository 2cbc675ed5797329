export * from './leases.contract.js';
export * from './recorded.effects.js';
export * from './memory-leases.js';

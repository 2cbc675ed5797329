export * from './leases.contract.js';

export * from './vault.port.js';

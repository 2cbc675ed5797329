export * from './clock-offset.contract.js';
export * from './dying-process.js';
export * from './faulty-vault.js';
export * from './payments.setup.js';
export * from './ports.contract.js';

export * from './payments.stage.js';
export * from './ports.contract.js';

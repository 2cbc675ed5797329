export * from './endpoint.histories.testing.js';
export * from './lifecycle.histories.testing.js';
export * from './numbered.tables.testing.js';
export * from './sales.testing.js';

export * from './bare.client.js';
export * from './connection.proxy.js';
export * from './migrated.database.js';
export * from './postgres.server.js';

export * from './bare.client.js';
export * from './connection.proxy.js';
export * from './postgres.server.js';

export * from './admin-keys.js';

export * from '../service/admin-keys/admin-keys.js';

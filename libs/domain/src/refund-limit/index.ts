export * from './refund-limit.js';

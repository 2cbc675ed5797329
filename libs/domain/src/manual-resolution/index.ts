export * from './manual-resolution.js';

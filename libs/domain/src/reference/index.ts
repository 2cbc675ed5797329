export * from './reference-claim.js';

export * from './merchant.js';
export type { MerchantDecision, MerchantRejection } from './merchant.decision.js';
export * from './merchant.decide.js';
export * from './payment-method.decide.js';
export { findMethodOf } from './payment-method.index.js';
export * from './api-key.js';

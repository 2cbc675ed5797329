export * from './account-holder.shapes.js';
export * from './history.item.js';
export * from './merchant.shapes.js';
export * from './payment-method.details.js';
export { withTokenFacts, type TokenFacts } from './token.facts.js';
export * from './token.operation.result.js';
export * from './transaction.result.js';

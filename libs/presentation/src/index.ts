export * from './account-holder.shapes.js';
export * from './history.item.js';
export * from './hosted-form.shapes.js';
export * from './merchant.shapes.js';
export * from './payment-method.details.js';
export { withTokenDetails, type TokenDetails } from './token.details.js';
export * from './token-operation.result.js';
export * from './transaction.result.js';
export * from './webhook-endpoint.shapes.js';

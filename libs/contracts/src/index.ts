export * from './errors.js';
export * from './hosted-form.shapes.js';
export * from './list.page.js';
export * from './merchant-application.shapes.js';
export * from './operator.shapes.js';
export * from './payment-method.shapes.js';
export * from './pricing-template.shapes.js';
export * from './result.texts.js';
export * from './sandbox.shapes.js';
export * from './transaction.result.js';
export * from './webhook-delivery.shapes.js';
export * from './webhook-endpoint.shapes.js';
export * from './webhook.shapes.js';

/** The version of the public interface, in the header `x-api-version` of every response. */
export const API_VERSION = '2026.08.03';

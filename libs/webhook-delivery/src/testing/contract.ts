/* Separate from `testing/index.ts`, because it can be loaded only by jest. */

export type { DeliveriesUnderTest, OpenDeliveries } from './deliveries.under-test.js';
export { deliveryStoreContract } from './delivery-store.contract.js';
export { randomHistory } from './numbering.contract.js';

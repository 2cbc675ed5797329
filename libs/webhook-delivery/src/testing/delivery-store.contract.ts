import { describe } from '@jest/globals';
import type { OpenDeliveries } from './deliveries.under-test.js';
import { numberingContract } from './numbering.contract.js';

/** What every adapter of `DeliveryStore` does. */
export function deliveryStoreContract(adapter: string, open: OpenDeliveries): void {
  describe(`deliveries in ${adapter}`, () => {
    numberingContract(open);
  });
}

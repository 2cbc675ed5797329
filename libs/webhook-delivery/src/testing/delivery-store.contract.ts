import { describe } from '@jest/globals';
import type { OpenDeliveries } from './deliveries.under-test.js';
import { lifecycleContract } from './lifecycle.contract.js';
import { numberingContract } from './numbering.contract.js';
import { recordsContract } from './records.contract.js';
import { sendingContract } from './sending.contract.js';

/** What every adapter of `DeliveryStore` does. */
export function deliveryStoreContract(adapter: string, open: OpenDeliveries): void {
  describe(`deliveries in ${adapter}`, () => {
    numberingContract(open);
    lifecycleContract(open);
    sendingContract(open);
    recordsContract(open);
  });
}

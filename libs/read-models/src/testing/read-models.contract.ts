import { describe } from '@jest/globals';
import { lifecycleContract } from './lifecycle.contract.js';
import type { OpenLists } from './lists.under-test.js';
import { orderedContract } from './ordered.contract.js';
import { restoredStoreContract } from './restored-store.contract.js';
import { entityListsContract } from './entity-lists.contract.js';
import { transactionsContract } from './transactions.contract.js';

/** All that every adapter of the read models has to do; called in one line by each adapter's spec. */
export function readModelsContract(name: string, openLists: OpenLists): void {
  describe(`read models in ${name}`, () => {
    transactionsContract(openLists);
    entityListsContract(openLists);
    lifecycleContract(openLists);
    restoredStoreContract(openLists);
    orderedContract(openLists);
  });
}

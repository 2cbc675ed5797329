import { describe } from '@jest/globals';
import { lifecycleContract } from './lifecycle.contract.js';
import type { OpenLists } from './lists.under-test.js';
import { orderedContract } from './ordered.contract.js';
import { restoredStoreContract } from './restored-store.contract.js';
import { entityListsContract } from './entity-lists.contract.js';
import { batchQueuesContract } from './batch-queues.contract.js';
import { settlementListsContract } from './settlement-lists.contract.js';
import { versionsContract } from './versions.contract.js';
import { transactionsContract } from './transactions.contract.js';

/** The contract of an adapter of the read models. Each adapter's spec calls it in one line. */
export function readModelsContract(name: string, openLists: OpenLists): void {
  describe(`read models in ${name}`, () => {
    transactionsContract(openLists);
    entityListsContract(openLists);
    settlementListsContract(openLists);
    batchQueuesContract(openLists);
    lifecycleContract(openLists);
    versionsContract(openLists);
    restoredStoreContract(openLists);
    orderedContract(openLists);
  });
}

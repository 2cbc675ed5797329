import { describe } from '@jest/globals';
import { lifeContract } from './life.contract.js';
import type { OpenLists } from './lists.under-test.js';
import { orderedContract } from './ordered.contract.js';
import { otherHistoryContract } from './other-history.contract.js';
import { otherListsContract } from './other-lists.contract.js';
import { transactionsContract } from './transactions.contract.js';

/** All that every adapter of the read models has to do; called in one line by each adapter's spec. */
export function readModelsContract(name: string, openLists: OpenLists): void {
  describe(`read models in ${name}`, () => {
    transactionsContract(openLists);
    otherListsContract(openLists);
    lifeContract(openLists);
    otherHistoryContract(openLists);
    orderedContract(openLists);
  });
}

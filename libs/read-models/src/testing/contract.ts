/* Separate from `testing/index.ts`, because it can be loaded only by jest. */

export type { ListsUnderTest, OpenLists } from './lists.under-test.js';
export { readModelsContract } from './read-models.contract.js';
export { listedTransactions, expectTransactionsOfModel } from './transactions.contract.js';

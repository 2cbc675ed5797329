/* Apart from the rest of `testing`: only where tests run can this be loaded. */

export type { ListsUnderTest, OpenLists } from './lists.under-test.js';
export { readModelsContract } from './read-models.contract.js';
export { listedTransactions, transactionsEqualTheModel } from './transactions.contract.js';

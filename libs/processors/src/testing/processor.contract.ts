import { afterEach, beforeEach, describe } from '@jest/globals';
import { accountsContract, arrivalsContract } from './accounts.contract.js';
import { ContractStage, type WorldPart, type WorldWithout } from './contract.stage.js';
import { customersContract } from './customers.contract.js';
import { inquiriesContract, keysContract } from './keys.contract.js';
import { laterAnswersContract, noticesContract } from './later-answers.contract.js';
import { operationsContract } from './operations.contract.js';
import { timeContract } from './time.contract.js';
import { storedCardsContract, verificationsContract } from './verifications.contract.js';

/**
 * What every adapter of the port promises, whoever is behind it. Call it in one line in the adapter's spec.
 * @param lacks What the processor does not have; its tests are shown as skipped. Left out: it has everything.
 */
export function processorContract<Lacks extends WorldPart = never>(
  name: string,
  factory: () => Promise<WorldWithout<Lacks>>,
  lacks: readonly Lacks[] = [],
): void {
  describe(`${name} keeps the contract of processors`, () => {
    const stage = new ContractStage(lacks);
    beforeEach(async () => stage.begin(await factory()));
    afterEach(() => stage.world.close());
    operationsContract(stage);
    accountsContract(stage);
    arrivalsContract(stage);
    keysContract(stage);
    inquiriesContract(stage);
    timeContract(stage);
    customersContract(stage);
    laterAnswersContract(stage);
    noticesContract(stage);
    verificationsContract(stage);
    storedCardsContract(stage);
  });
}

import { afterEach, beforeEach, describe } from '@jest/globals';
import { accountsContract, receivedRequestsContract } from './accounts.contract.js';
import { ContractSetup, type ProcessorFeature, type ProcessorWithout } from './contract.setup.js';
import { customersContract } from './customers.contract.js';
import { inquiriesContract, keysContract } from './keys.contract.js';
import { laterResponsesContract, noticesContract } from './later-responses.contract.js';
import { operationsContract } from './operations.contract.js';
import { timeContract } from './time.contract.js';
import { storedCardsContract, verificationsContract } from './verifications.contract.js';

/**
 * What every adapter of the port promises, whoever is behind it. Call it in one line in the adapter's spec.
 * @param lacks What the processor does not have; its tests are shown as skipped. Left out: it has everything.
 */
export function processorContract<Lacks extends ProcessorFeature = never>(
  name: string,
  factory: () => Promise<ProcessorWithout<Lacks>>,
  lacks: readonly Lacks[] = [],
): void {
  describe(`${name} keeps the contract of processors`, () => {
    const stage = new ContractSetup(lacks);
    beforeEach(async () => stage.start(await factory()));
    afterEach(() => stage.underTest.close());
    operationsContract(stage);
    accountsContract(stage);
    receivedRequestsContract(stage);
    keysContract(stage);
    inquiriesContract(stage);
    timeContract(stage);
    customersContract(stage);
    laterResponsesContract(stage);
    noticesContract(stage);
    verificationsContract(stage);
    storedCardsContract(stage);
  });
}

import { afterEach, beforeEach, describe } from '@jest/globals';
import { ContractStage, type ProcessorUnderTest } from './contract.stage.js';
import { customersContract } from './customers.contract.js';
import { inquiriesContract, keysContract } from './keys.contract.js';
import { operationsContract } from './operations.contract.js';
import { timeContract } from './time.contract.js';
import { storedCardsContract, verificationsContract } from './verifications.contract.js';

/** What every adapter of the port promises, whoever is behind it. Call it in one line in the adapter's spec. */
export function processorContract(name: string, factory: () => Promise<ProcessorUnderTest>): void {
  describe(`${name} keeps the contract of processors`, () => {
    const stage = new ContractStage();
    beforeEach(() => stage.begin(factory));
    afterEach(() => stage.world.close());
    operationsContract(stage);
    keysContract(stage);
    inquiriesContract(stage);
    timeContract(stage);
    customersContract(stage);
    verificationsContract(stage);
    storedCardsContract(stage);
  });
}

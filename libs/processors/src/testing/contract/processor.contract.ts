import { afterEach, beforeEach, describe } from '@jest/globals';
import { bankNoticesContract, bankPaymentsContract } from './bank-payments.contract.js';
import { accountsContract, receivedRequestsContract } from './accounts.contract.js';
import { ContractSetup, type ProcessorFeature, type ProcessorWithout } from './contract.setup.js';
import { customersContract } from './customers.contract.js';
import { inquiriesContract, keysContract } from './keys.contract.js';
import { laterResponsesContract, noticesContract } from './later-responses.contract.js';
import { operationsContract } from './operations.contract.js';
import { timeContract } from './time.contract.js';
import { storedCardsContract, verificationsContract } from './verifications.contract.js';

/**
 * The contract of every adapter of the port. The adapter's spec calls it in one line.
 * @param lacks features that the processor does not have; their tests are skipped
 */
export function processorContract<Lacks extends ProcessorFeature = never>(
  name: string,
  factory: () => Promise<ProcessorWithout<Lacks>>,
  lacks: readonly Lacks[] = [],
): void {
  describe(`${name} keeps the contract of processors`, () => {
    const setup = new ContractSetup(lacks);
    beforeEach(async () => setup.start(await factory()));
    afterEach(() => setup.underTest.close());
    operationsContract(setup);
    accountsContract(setup);
    receivedRequestsContract(setup);
    keysContract(setup);
    inquiriesContract(setup);
    timeContract(setup);
    customersContract(setup);
    laterResponsesContract(setup);
    noticesContract(setup);
    bankPaymentsContract(setup);
    bankNoticesContract(setup);
    verificationsContract(setup);
    storedCardsContract(setup);
  });
}

import { SandboxFiles, sandboxUnderTest } from '../sandbox/sandbox.fixture.js';
import { CHALLENGED_AMOUNT, processorContract, SlowBank, SUBMITTED_AMOUNT } from './index.js';

const files = new SandboxFiles();
afterEach(() => files.removeAll());

processorContract('A processor whose bank answers later', async () => {
  const bank = new SlowBank();
  const settle = (key: string, outcome: 'Approved' | 'Declined') => bank.settle(key, outcome);
  return {
    ...sandboxUnderTest(files, (processor) => bank.wrap(processor)),
    submitted: { amount: SUBMITTED_AMOUNT, settle },
    challenged: { amount: CHALLENGED_AMOUNT, settle },
    notices: { connect: () => bank.notices('sandbox'), unacknowledged: async () => bank.unacknowledged },
  };
});

import { SandboxFiles, sandboxUnderTest } from '../sandbox.fixture.js';
import { processorContract, TokenGiver } from './index.js';

const files = new SandboxFiles();
afterEach(() => files.removeAll());

processorContract(
  'A processor that gives tokens',
  async () => {
    const giver = new TokenGiver();
    return { ...sandboxUnderTest(files, (processor) => giver.before(processor)), credentials: 'Tokens' };
  },
  ['storedExpiry', 'submitted', 'challenged', 'notices'],
);

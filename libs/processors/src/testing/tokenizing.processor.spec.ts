import { SandboxFiles, sandboxUnderTest } from '../sandbox/sandbox.fixture.js';
import { processorContract, TokenizingProcessor } from './index.js';

const files = new SandboxFiles();
afterEach(() => files.removeAll());

processorContract(
  'A processor that gives tokens',
  async () => {
    const giver = new TokenizingProcessor();
    return { ...sandboxUnderTest(files, (processor) => giver.wrap(processor)), credentials: 'Tokens' };
  },
  ['storedExpiry', 'submitted', 'challenged', 'notices'],
);

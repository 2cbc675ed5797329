import { SandboxFiles } from '../sandbox/sandbox.fixture.js';
import { SANDBOX_THREE_DS_CARDS, threeDsServerContract } from '../testing/index.js';
import { SandboxThreeDsServer } from './sandbox.three-ds.server.js';

const files = new SandboxFiles();
afterEach(() => files.removeAll());

threeDsServerContract('The 3-D Secure server of the sandbox in process', async () => {
  let ahead = 0;
  const serviceNow = (): number => Date.now() + ahead;
  const file = files.newFile();
  const open = () => files.open(file, { serviceNow });
  const sandboxes = [open()];
  const [cardholder] = sandboxes;
  return {
    ...SANDBOX_THREE_DS_CARDS,
    connect: () => {
      const sandbox = open();
      sandboxes.push(sandbox);
      return new SandboxThreeDsServer({ sandbox });
    },
    answer: async (challengeId, isRight) => {
      cardholder?.threeDs.answer(challengeId, isRight ? '123456' : '000000');
    },
    serviceNow,
    advance: async (ms) => void (ahead += ms),
    breakDown: async () => sandboxes.forEach((sandbox) => sandbox.close()),
    close: async () => undefined,
  };
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requestsOnLine } from './test.sandbox.js';
import { startTestApi } from './test.api.js';

it('pays into the sandbox that this run is for, over the line that it is for', async () => {
  const api = await startTestApi();
  const before = requestsOnLine(api.dataDir);
  await api.transaction('physical-sale', { amount: 100 });
  const isNetwork = globalThis.SANDBOX === 'network';
  expect(existsSync(join(api.dataDir, 'acquirer', 'sandbox.db'))).toBe(isNetwork);
  expect(requestsOnLine(api.dataDir) > before).toBe(isNetwork && globalThis.SANDBOX_LINE !== undefined);
  await api.stop();
});

import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';
import { SandboxHost } from '../testing/test.sandbox.js';

const SECRET = 'a-secret-of-the-tests';
const sandboxes = new SandboxHost();
let api: TestApi;
let port: number;
beforeAll(async () => {
  port = await freePort();
  api = await startTestApi({
    SANDBOX: 'network',
    SANDBOX_URL: `http://127.0.0.1:${port}`,
    SANDBOX_SECRET: SECRET,
    PROCESSOR_DEADLINE_MS: '1000',
    SEND_WITHIN_MS: '1000',
    BREAKER_FAILURES: '0',
  });
});
afterAll(async () => {
  await sandboxes.end();
  await api.stop();
});

const startSandbox = (): Promise<{ readonly id: number }> =>
  sandboxes.ask({
    start: {
      SANDBOX_PORT: String(port),
      SANDBOX_DATA_DIR: join(api.dataDir, 'acquirer'),
      SANDBOX_SECRET: SECRET,
      PROCESSOR_DEADLINE_MS: '1000',
    },
  });
const readiness = async () => (await api.get('/health/ready', { key: null })).text;

describe('An API whose sandbox is a service of its own', () => {
  it('starts while that is down, refuses payments unsent and says so, and recovers by itself', async () => {
    const sale = await api.operation('physical-sale', { amount: 1_000 });
    expect(refusal(sale)).toBe('500 9000 Rejected');
    const [unsent] = await api.list('/v1/transactions').then(({ data }) => data);
    expect(unsent).toMatchObject({ status: 'Cancelled', resultCode: 9998 });
    expect(await readiness()).toContain(`the sandbox at http://127.0.0.1:${port} can not be reached`);

    await startSandbox();
    expect(await api.transaction('physical-sale', { amount: 1_000 })).toMatchObject({ status: 'Completed' });
    await until(async () => !(await readiness()).includes('can not be reached'));
  });

  it('sets its terminals and its clock', async () => {
    const terminal = api.method('Front counter').id;
    expect(await api.setTerminal(terminal, { mode: 'LowBattery' })).toMatchObject({ mode: 'LowBattery' });
    expect(await api.transaction('physical-sale', { amount: 1_000 })).toMatchObject({ resultCode: 3006 });
    await api.setTerminal(terminal, {});
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 4_000_000 } });
    const about = await fetch(`http://127.0.0.1:${port}/v1/about`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}` },
      body: '{}',
    });
    const { clockOffsetMs } = (await about.json()) as { clockOffsetMs: number };
    expect(clockOffsetMs).toBeGreaterThanOrEqual(4_000_000_000);
  });

  it('has a customer pay at a terminal that waits', async () => {
    const terminal = api.method('Front counter').id;
    await api.setTerminal(terminal, { mode: 'Manual' });
    const paying = api.transaction('physical-sale', { amount: 2_500 });
    const path = `/admin/v1/sandbox/terminals/${terminal}`;
    await until(async () => (await api.get(path)).text.includes('"amount":2500'));
    expect((await api.call('POST', `${path}/customer`, { body: { action: 'Tap' } })).status).toBe(200);
    expect(await paying).toMatchObject({ status: 'Completed', transactionResponses: [{ responseCode: 1 }] });
    const noCustomer = await api.call('POST', `${path}/customer`, { body: { action: 'Tap' } });
    expect(refusal(noCustomer)).toBe('409 3400 Rejected');
    await api.setTerminal(terminal, {});
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to that in 20 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo;
      server.close(() => resolve(free));
    });
  });
}

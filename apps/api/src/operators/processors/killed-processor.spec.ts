import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { envelopeOf, refusal, resultOf, startTestApi, type TestApi } from '../../testing/test.api.js';
import { SandboxHost } from '../../testing/test.sandbox.js';

const SECRET = 'a-secret-of-the-tests';
const TIMES = { PROCESSOR_DEADLINE_MS: '1000', SEND_WITHIN_MS: '1000' };
/** Executed, and never answered: found by an inquiry. */
const LOST = 920_001;

/** Canadian terminals go to a processor behind a network, which is killed; everything else to one in this process. */
describe('Of two processors side by side, one that is killed in the middle of a payment', () => {
  let api: TestApi;
  let port: number;
  let pier: SandboxHost;
  const startPier = async (): Promise<void> => {
    pier = new SandboxHost();
    const SANDBOX_DATA_DIR = join(api.dataDir, 'pier');
    await pier.ask({
      start: { SANDBOX_PORT: String(port), SANDBOX_DATA_DIR, SANDBOX_SECRET: SECRET, ...TIMES },
    });
  };
  beforeAll(async () => {
    port = await freePort();
    api = await startTestApi({
      ...TIMES,
      SANDBOX: 'embedded',
      SANDBOX_SECRET: SECRET,
      MORE_SANDBOXES: `pier=http://127.0.0.1:${port}`,
      PROCESSOR_ROUTES: '*/CardPresent/CAD=pier:p-1,*/*/*=sandbox:s-1',
      BREAKER_FAILURES: '0',
    });
    await startPier();
  });
  afterAll(async () => {
    await pier.end();
    await api.stop();
  });

  const sale = (description: string, amount: number) =>
    api.operation('physical-sale', { amount, paymentMethodId: api.method(description).id });
  const readiness = async () => (await api.get('/health/ready', { key: null })).text;

  it('leaves the other one at work, is never guessed about, and is asked again once it is back', async () => {
    const sold = resultOf(await sale('Mobile', 1_000));
    const paying = sale('Mobile', LOST);
    await new Promise((resume) => setTimeout(resume, 300));
    await pier.end();
    const lost = await paying;
    expect([lost.status, envelopeOf(lost).status]).toEqual([500, 'Interrupted']);
    const id = envelopeOf(lost).errorDetails[0]?.details?.match(/trx_\w+/)?.[0] ?? '';

    expect(resultOf(await sale('Front counter', 1_000))).toMatchObject({ status: 'Completed' });
    const refund = { originalTransactionId: sold.id, amount: 400 };
    expect(refusal(await api.operation('refund', refund))).toBe('500 9000 Rejected');
    expect(await readiness()).toContain(`the sandbox at http://127.0.0.1:${port} can not be reached`);
    const terminal = `/admin/v1/sandbox/terminals/${api.method('Front counter').id}`;
    expect((await api.get(terminal)).status).toBe(200);

    await startPier();
    await until(async () => (await api.look(id)).status === 'Completed');
    expect(await api.look(id)).toMatchObject({ transactionResponses: [{ responseCode: 1 }] });
    expect(await api.transaction('refund', refund)).toMatchObject({ status: 'Completed' });
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to that in 60 s');
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

import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListPage, TransactionResult } from '@tillstream/contracts';
import { eventually } from '../testing/eventually.js';
import { freePort } from '../testing/free.port.js';
import { ProxyProcess } from '../testing/proxy.process.js';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';

const TILLS = 3;
/** Two checks of the proxy, one second apart, fit into it. */
const STOP_DELAY_MS = 4_000;
/** An instance that is ready counts again after two checks. */
const PROXY_NOTICES_MS = 2_500;
const LIMIT_MS = 180_000;

/** Two processes on one data directory, behind the proxy of docs/deploy. */
describe('A rolling restart of two instances behind the proxy', () => {
  const dataDir = emptyDirectory();
  const agent = new Agent({ keepAlive: true });
  let ports: [number, number];
  let proxy: ProxyProcess;
  const instances: ServiceProcess[] = [];

  const start = (number: 0 | 1): Promise<ServiceProcess> =>
    new ServiceProcess(dataDir, {
      ...{ PORT: String(ports[number]), STOP_DELAY_MS: String(STOP_DELAY_MS) },
      ...{ SANDBOX_TERMINALS: String(TILLS), PROCESSOR_DEADLINE_MS: '3000', TERMINAL_DEADLINE_MS: '3000' },
    }).started();
  const isReady = (origin: string): Promise<boolean> =>
    fetch(`${origin}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );

  beforeAll(async () => {
    ports = [await freePort(), await freePort()];
    instances.push(await start(0), await start(1));
    proxy = new ProxyProcess(ports);
    await proxy.start();
    await eventually(() => isReady(proxy.origin));
  }, LIMIT_MS);
  afterAll(async () => {
    agent.destroy();
    await proxy.stop();
    for (const instance of instances) await instance.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }, LIMIT_MS);

  const facts = () => instances[0]!.facts;
  const terminals = (): string[] =>
    facts()
      .paymentMethods.filter(({ type, currency }) => type === 'Physical' && currency === 'USD')
      .map(({ id }) => id);

  /** Sends a sale once. Never repeats it. @param connections left out: they are kept open */
  async function sell(
    referenceId: string,
    paymentMethodId: string,
    { amount = 100, connections = agent as Agent | false } = {},
  ): Promise<number> {
    const headers = { 'x-api-key': facts().apiKey, 'content-type': 'application/json' };
    const sent = request(`${proxy.origin}/v1/transactions/physical-sale`, {
      ...{ agent: connections, method: 'POST', headers },
    });
    sent.end(JSON.stringify({ amount, referenceId, paymentMethodId }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await response.resume().toArray();
    return response.statusCode ?? 0;
  }

  /** How often each reference id is listed. */
  async function listed(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/v1/transactions?limit=100${cursor && `&cursor=${cursor}`}`;
      const response = await fetch(proxy.origin + path, { headers: { 'x-api-key': facts().apiKey } });
      const page = (await response.json()) as ListPage<TransactionResult>;
      for (const { referenceId } of page.data) counts.set(referenceId, (counts.get(referenceId) ?? 0) + 1);
      cursor = page.nextCursor;
    }
    return counts;
  }

  it('has a proxy whose configuration HAProxy accepts as it stands', () => {
    expect(proxy.check()).not.toMatch(/\[(?:ALERT|WARNING)\]/);
  });

  it(
    'loses no request and executes none twice: each client sends each sale once',
    async () => {
      const statuses = new Map<string, number>();
      let isOver = false;
      const tills = terminals().slice(0, TILLS);
      expect(tills).toHaveLength(TILLS);
      const clients = tills.map(async (terminal, till) => {
        for (let number = 0; !isOver; number++) {
          const referenceId = `till${till}sale${number}`;
          statuses.set(referenceId, await sell(referenceId, terminal).catch(() => 0));
        }
      });
      for (const number of [0, 1] as const) {
        await sleep(500);
        expect(await instances[number]!.stop()).toBe(0);
        instances[number] = await start(number);
        await eventually(() => isReady(`http://127.0.0.1:${ports[number]}`));
        await sleep(PROXY_NOTICES_MS);
      }
      isOver = true;
      await Promise.all(clients);
      expect(statuses.size).toBeGreaterThan(100);
      expect([...statuses].filter(([, status]) => status !== 200)).toEqual([]);
      const counts = await listed();
      expect([...statuses.keys()].filter((referenceId) => counts.get(referenceId) !== 1)).toEqual([]);
      expect(counts.size).toBe(statuses.size);
    },
    LIMIT_MS,
  );

  it(
    'is not repeated by the proxy if an instance dies while it works: the client gets 502, and one transaction is there',
    async () => {
      const [terminal = ''] = terminals();
      // The instance that has it waits for a processor that never answers.
      // On a connection that had an earlier request HAProxy closes it instead of a 502.
      const sent = sell('killed', terminal, { amount: 920_001, connections: false });
      const inFlight = /^tillstream_processor_calls_in_flight\{.*\} 1$/m;
      let busy = -1;
      await eventually(async () => {
        const metrics = ports.map((port) =>
          fetch(`http://127.0.0.1:${port}/metrics`).then((one) => one.text()),
        );
        busy = (await Promise.all(metrics)).findIndex((text) => inFlight.test(text));
        return busy >= 0;
      });
      await instances[busy]!.stop('SIGKILL');
      expect(await sent).toBe(502);
      expect(await sell('after', terminal)).toBe(200);
      const counts = await listed();
      expect([counts.get('killed'), counts.get('after')]).toEqual([1, 1]);
      instances[busy] = await start(busy as 0 | 1);
    },
    LIMIT_MS,
  );
});

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListPage, WebhookDelivery, WebhookEndpoint, WebhookReplay } from '@tillstream/contracts';
import { freePort } from '../testing/free.port.js';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';

const LIMIT_MS = 300_000;
const SALES = 10_000;
const AT_ONCE = 48;
const ENDPOINTS = '/webhook-endpoints';
const SINCE = { failedSince: '2020-01-01T00:00:00Z' };
const POLL_EVERY_MS = 250;
const MIB = 2 ** 20;
/** Far below what the bodies of all deliveries would take in memory, with everything around them. */
const GROWTH_MAX_MIB = 100;

interface Seen {
  readonly bodies: Set<string>;
  failed: number;
  accepted: number;
}

let service: ServiceProcess;
let dispatcherPort: string;
let answer = 500;
/** By `hook-id`. */
const received = new Map<string, Seen>();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const id = String(request.headers['hook-id']);
    const seen = received.get(id) ?? { bodies: new Set<string>(), failed: 0, accepted: 0 };
    seen.bodies.add(Buffer.concat(chunks).toString('utf8'));
    if (answer === 204) seen.accepted += 1;
    else seen.failed += 1;
    received.set(id, seen);
    response.writeHead(answer).end();
  });
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  dispatcherPort = String(await freePort());
  const settings = { WEBHOOK_DISPATCHER: 'beside', WEBHOOK_DISPATCHER_PORT: dispatcherPort };
  service = await new ServiceProcess(emptyDirectory(), settings).started();
}, LIMIT_MS);
afterAll(async () => {
  await service.stop();
  server.close();
  server.closeAllConnections();
  rmSync(service.dataDir, { recursive: true, force: true });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(POLL_EVERY_MS);
}

/** Counted exactly up to 10,000. */
async function total(id: string, status: WebhookDelivery['status']): Promise<number> {
  const path = `${ENDPOINTS}/${id}/deliveries?status=${status}&limit=1&includeTotal=true`;
  return (await service.call<ListPage<WebhookDelivery>>('GET', path)).total ?? 0;
}

async function sellAll(): Promise<void> {
  let sold = 0;
  const till = async (): Promise<void> => {
    while (sold < SALES) {
      sold += 1;
      const { status } = await service.sell({ amount: 100 + (sold % 50) });
      if (status !== 200) throw new Error(`a sale was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, till));
}

/** Of the API and of the dispatcher. */
async function memoryMiB(): Promise<number[]> {
  const origins = [new URL(service.facts.baseUrl).origin, `http://127.0.0.1:${dispatcherPort}`];
  const texts = await Promise.all(origins.map(async (origin) => (await fetch(`${origin}/metrics`)).text()));
  return texts.map((text) => Number(/^process_resident_memory_bytes\S* (\S+)$/m.exec(text)?.[1]) / MIB);
}

it(
  `A replay sends ${SALES} failed deliveries exactly once more, with the same ids and bytes, and shows how far it is`,
  async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const body = { url, eventTypes: ['sale.completed'] };
    const { id } = await service.call<WebhookEndpoint>('POST', ENDPOINTS, body);
    await sellAll();
    await until(() => Promise.resolve(received.size === SALES));
    await until(async () => (await total(id, 'Pending')) === 0);
    await service.call('PUT', `${ENDPOINTS}/${id}`, { status: 'Disabled' });
    await until(async () => (await total(id, 'Exhausted')) === SALES);

    answer = 204;
    await service.call('PUT', `${ENDPOINTS}/${id}`, { status: 'Enabled' });
    const memoryBefore = await memoryMiB();
    const { count } = await service.call<WebhookReplay>('POST', `${ENDPOINTS}/${id}/replay`, SINCE);
    expect(count).toBe(SALES);
    const progress: number[] = [];
    await until(async () => {
      progress.push(await total(id, 'Succeeded'));
      return progress.at(-1) === SALES;
    });
    const growth = (await memoryMiB()).map((mib, index) => Math.round(mib - (memoryBefore[index] ?? 0)));
    const all = [...received.values()];
    expect(all).toHaveLength(SALES);
    expect(all.filter(({ accepted }) => accepted !== 1)).toEqual([]);
    expect(all.filter(({ failed }) => failed === 0)).toEqual([]);
    expect(all.filter(({ bodies }) => bodies.size !== 1)).toEqual([]);
    const eventIds = all.map(
      ({ bodies }) => (JSON.parse([...bodies][0] ?? '') as { event: { id: string } }).event.id,
    );
    expect(new Set(eventIds).size).toBe(SALES);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(new Set(progress).size).toBeGreaterThan(2);
    for (const mib of growth) expect(mib).toBeLessThan(GROWTH_MAX_MIB);
  },
  LIMIT_MS,
);

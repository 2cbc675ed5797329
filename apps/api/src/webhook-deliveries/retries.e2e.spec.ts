import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  ListPage,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '@tillstream/contracts';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { eventually } from '../testing/eventually.js';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';

const LIMIT_MS = 90_000;
const MINUTE_MS = 60_000;
const DAY_S = 86_400;
/** `docs/spec/webhooks.md#retries`, in seconds: the pause before each attempt after the first. */
const STEPS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const ENDPOINTS = '/webhook-endpoints';

let service: ServiceProcess;
let server: Server;
let answer: number;
const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(answer).end('seen');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  service = await new ServiceProcess(emptyDirectory(), { WEBHOOK_DISPATCHER: 'beside' }).started();
}, LIMIT_MS);
afterAll(async () => {
  await service.stop();
  server.close();
  server.closeAllConnections();
  rmSync(service.dataDir, { recursive: true, force: true });
});
beforeEach(() => received.splice(0));

const advance = (body: { readonly to: string } | { readonly advanceSeconds: number }): Promise<unknown> =>
  service.operate('POST', '/sandbox/clock', { ...body, settle: false });
const urlOfReceiver = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
const newEndpoint = (): Promise<WebhookEndpointWithSecret> =>
  service.call('POST', ENDPOINTS, { url: urlOfReceiver(), eventTypes: ['*'] });

async function deliveryOf(endpointId: string): Promise<WebhookDelivery | undefined> {
  const { data } = await service.call<ListPage<WebhookDelivery>>(
    'GET',
    `${ENDPOINTS}/${endpointId}/deliveries`,
  );
  return data[0];
}

/** The delivery after that many attempts. */
async function afterAttempts(endpointId: string, count: number): Promise<WebhookDelivery> {
  let delivery: WebhookDelivery | undefined;
  await eventually(async () => {
    delivery = await deliveryOf(endpointId);
    return delivery?.tries.length === count;
  });
  if (!delivery) throw new Error('there is no delivery');
  return delivery;
}

describe('A failing endpoint, with the dispatcher beside the API,', () => {
  it(
    'gets a webhook eight times by the steps of the schedule, each verified by the published libraries',
    async () => {
      answer = 500;
      const { id, secret } = await newEndpoint();
      await service.sell({ amount: 1_250 });
      for (const [index, stepS] of STEPS_S.entries()) {
        const { status, tries, nextTryAt = '' } = await afterAttempts(id, index + 1);
        expect(status).toBe('Failed');
        const { at = '', durationMs = 0 } = tries.at(-1) ?? {};
        const pauseS = (Date.parse(nextTryAt) - Date.parse(at) - durationMs) / 1_000;
        // 20 % of jitter; times are rounded to milliseconds.
        expect(pauseS).toBeGreaterThanOrEqual(stepS * 0.8 - 0.01);
        expect(pauseS).toBeLessThanOrEqual(stepS * 1.2 + 0.01);
        await advance({ to: nextTryAt });
      }
      const last = await afterAttempts(id, STEPS_S.length + 1);
      expect([last.status, last.nextTryAt]).toEqual(['Exhausted', undefined]);
      await advance({ advanceSeconds: DAY_S });

      expect(received).toHaveLength(STEPS_S.length + 1);
      for (const { headers, body } of received) {
        const sent = headers as Record<string, string>;
        expect(new StandardWebhook(secret).verify(body, sent)).toEqual(JSON.parse(body));
        expect(new SvixWebhook(secret).verify(body, sent)).toEqual(JSON.parse(body));
      }
      expect(new Set(received.map(({ headers }) => headers['hook-id']))).toEqual(new Set([last.hookId]));
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
      await service.call('DELETE', `${ENDPOINTS}/${id}`);
    },
    LIMIT_MS,
  );

  it(
    'is disabled five days after its first failure, and gets what it missed once it is enabled',
    async () => {
      answer = 503;
      const { id } = await newEndpoint();
      const endpoint = (): Promise<WebhookEndpoint> => service.call('GET', `${ENDPOINTS}/${id}`);
      const since = new Date(Date.parse((await endpoint()).createdAt) - MINUTE_MS).toISOString();
      await service.sell({ amount: 100 });
      await afterAttempts(id, 1);
      await advance({ advanceSeconds: 5 * DAY_S + 1 });
      await eventually(async () => (await endpoint()).status === 'Disabled');
      expect((await endpoint()).disabledReason).toBe('Failing');
      const before = received.length;
      await service.sell({ amount: 200 });
      await eventually(async () => (await deliveryOf(id))?.status === 'Exhausted');
      expect(received).toHaveLength(before);

      answer = 204;
      await service.call('PUT', `${ENDPOINTS}/${id}`, { status: 'Enabled' });
      await service.call('POST', `${ENDPOINTS}/${id}/replay`, { failedSince: since });
      await eventually(() => Promise.resolve(received.length === before + 2));
      const sequences = received.map(({ headers }) => Number(headers['hook-sequence']));
      expect(new Set(sequences)).toEqual(new Set([1, 2]));
      await service.call('DELETE', `${ENDPOINTS}/${id}`);
    },
    LIMIT_MS,
  );
});

it(
  'An endpoint of the legacy method gets the HMAC-SHA256 of the bytes, with its secret as the key',
  async () => {
    answer = 204;
    const secret = 'the secret of a legacy endpoint';
    const path = `/merchants/${service.facts.merchantId}/legacy-webhook-endpoints`;
    await service.operate('POST', path, { url: urlOfReceiver(), eventTypes: ['*'], secret });
    await service.sell({ amount: 300 });
    await eventually(() => Promise.resolve(received.length === 1));
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(headers['x-legacy-wh-chksm']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  },
  LIMIT_MS,
);

import type { WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from '@tillstream/contracts';
import { answered, eventually } from '../testing/eventually.js';
import { refusal, startTestApi, type OtherMerchant, type TestApi } from '../testing/test.api.js';
import { numberWebhooks } from '../testing/webhook.numbering.js';

const PATH = '/v1/webhook-endpoints';
const SINCE = { failedSince: '2020-01-01T00:00:00Z' };
const SALES = 3;

let api: TestApi;
let stopNumbering: () => Promise<void>;
let shop: OtherMerchant;
let thief: OtherMerchant;
/** Of the shop. */
let id: string;
let deliveries: readonly WebhookDelivery[];
/** Of the thief. */
let own: string;

beforeAll(async () => {
  api = await startTestApi();
  stopNumbering = await numberWebhooks(api.config);
  shop = await api.otherMerchant({ managedWebhooks: true });
  thief = await api.otherMerchant({ managedWebhooks: true });
  id = (await newEndpoint(shop.key)).id;
  own = (await newEndpoint(thief.key)).id;
  for (let sale = 0; sale < SALES; sale++) {
    await api.transaction('physical-sale', { amount: 100 + sale }, { key: shop.key });
    await api.transaction('physical-sale', { amount: 100 + sale }, { key: thief.key });
  }
  await eventually(async () => (await listOf(id, shop.key)).length === SALES);
  await eventually(async () => (await listOf(own, thief.key)).length === SALES);
  deliveries = await listOf(id, shop.key);
});
afterAll(async () => {
  await stopNumbering();
  await api.stop();
});

async function newEndpoint(key: string): Promise<WebhookEndpointWithSecret> {
  const body = { url: 'https://shop.example/webhooks', eventTypes: ['*'] };
  return answered(await api.call('POST', PATH, { key, body }));
}

const listOf = async (endpoint: string, key: string): Promise<WebhookDelivery[]> =>
  (await api.list<WebhookDelivery>(`${PATH}/${endpoint}/deliveries`, { key })).data;
const paths = (endpoint: string, delivery: string): [method: string, path: string, body?: object][] => [
  ['GET', `/${endpoint}`],
  ['PUT', `/${endpoint}`, { status: 'Disabled' }],
  ['DELETE', `/${endpoint}`],
  ['POST', `/${endpoint}/rotate-secret`],
  ['POST', `/${endpoint}/test`, {}],
  ['POST', `/${endpoint}/replay`, SINCE],
  ['POST', `/${endpoint}/replay`, { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }],
  ['GET', `/${endpoint}/deliveries`],
  ['GET', `/${endpoint}/deliveries/${delivery}`],
  ['POST', `/${endpoint}/deliveries/${delivery}/replay`],
];

describe('A merchant', () => {
  it('finds no endpoint and no delivery of another, by any call, and changes none: 404, 4000', async () => {
    const [delivery] = deliveries;
    const before = answered<WebhookEndpoint>(await api.call('GET', `${PATH}/${id}`, { key: shop.key }));
    for (const [method, path, body] of paths(id, delivery?.id ?? '')) {
      const reply = await api.call(method, PATH + path, { key: thief.key, ...(body && { body }) });
      expect([method, path, refusal(reply)]).toEqual([method, path, '404 4000 Rejected']);
      expect(reply.text).not.toContain('shop.example');
    }
    expect(answered(await api.call('GET', `${PATH}/${id}`, { key: shop.key }))).toEqual(before);
    expect(await listOf(id, shop.key)).toEqual(deliveries);
  });

  it('finds no delivery of another through an endpoint of its own: 404, 4000', async () => {
    for (const { id: delivery } of deliveries)
      for (const [method, suffix] of [
        ['GET', ''],
        ['POST', '/replay'],
      ] as const) {
        const path = `${PATH}/${own}/deliveries/${delivery}${suffix}`;
        expect(refusal(await api.call(method, path, { key: thief.key }))).toBe('404 4000 Rejected');
      }
  });

  it('finds nothing by the event id of another in its own list', async () => {
    const eventIds = deliveries.map(({ eventId }) => `eventId=${eventId}`).join('&');
    const list = await api.list<WebhookDelivery>(
      `${PATH}/${own}/deliveries?${eventIds}&includeTotal=true`,
      thief,
    );
    expect(list).toEqual({ data: [], hasMore: false, nextCursor: null, total: 0 });
  });

  it('can not use a cursor of another’s list, nor of another endpoint of its own: 400, 2000', async () => {
    const second = (await newEndpoint(shop.key)).id;
    const page = await api.list<WebhookDelivery>(`${PATH}/${id}/deliveries?limit=1`, shop);
    const endpoints = await api.list<WebhookEndpoint>(`${PATH}?limit=1`, shop);
    for (const [path, key, expected] of [
      [`${PATH}/${own}/deliveries?cursor=${page.nextCursor}`, thief.key, '400 2000 Rejected cursor'],
      [`${PATH}/${id}/deliveries?cursor=${page.nextCursor}`, thief.key, '400 2000 Rejected cursor'],
      [`${PATH}/${second}/deliveries?cursor=${page.nextCursor}`, shop.key, '400 2000 Rejected cursor'],
      [
        `${PATH}/${id}/deliveries?cursor=${page.nextCursor}&status=Pending`,
        shop.key,
        '400 2000 Rejected cursor',
      ],
      [`${PATH}?cursor=${endpoints.nextCursor}`, thief.key, '400 2000 Rejected cursor'],
    ] as const)
      expect([path, refusal(await api.get(path, { key }))]).toEqual([path, expected]);
    await api.call('DELETE', `${PATH}/${second}`, { key: shop.key });
  });

  it('gets no secret of another under the same Idempotency-Key, and its own one again', async () => {
    const call = {
      body: { url: 'https://same.example/', eventTypes: ['*'] },
      headers: { 'idempotency-key': 'one' },
    };
    const create = async (key: string) => api.call('POST', PATH, { ...call, key });
    const [ours, theirs, oursAgain] = [
      await create(shop.key),
      await create(thief.key),
      await create(shop.key),
    ];
    expect(oursAgain.text).toBe(ours.text);
    const [first, second] = [ours, theirs].map((reply) => answered<WebhookEndpointWithSecret>(reply));
    expect(second?.secret).not.toBe(first?.secret);
    expect(second?.id).not.toBe(first?.id);
    const rotate = async () =>
      api.call('POST', `${PATH}/${first?.id}/rotate-secret`, {
        key: shop.key,
        headers: { 'idempotency-key': 'two' },
      });
    const [rotated, repeated] = [await rotate(), await rotate()];
    expect(repeated.text).toBe(rotated.text);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    const readOnly = await api.keyOf(shop.id, { readOnly: true });
    expect(refusal(await create(readOnly))).toBe('401 1001 Rejected');
  });
});

describe('Writing calls of endpoints and deliveries', () => {
  it('need a key that can write, and managed webhooks: 401, 1001; reading ones do not', async () => {
    const readOnly = await api.keyOf(shop.id, { readOnly: true });
    const plain = await api.otherMerchant();
    const [delivery] = deliveries;
    for (const [method, path, body] of paths(id, delivery?.id ?? '')) {
      const call = (key: string) => api.call(method, PATH + path, { key, ...(body && { body }) });
      const expected = method === 'GET' ? ['200', '404 4000 Rejected'] : Array(2).fill('401 1001 Rejected');
      const replies = [await call(readOnly), await call(plain.key)];
      const shown = replies.map((reply) => (reply.status === 200 ? '200' : refusal(reply)));
      expect([method, path, shown]).toEqual([method, path, expected]);
    }
  });
});

describe('Deliveries of an endpoint', () => {
  it('are gone with it: each call is 404, 4000', async () => {
    const gone = (await newEndpoint(shop.key)).id;
    const sent = answered<WebhookDelivery>(await api.call('POST', `${PATH}/${gone}/test`, { key: shop.key }));
    await api.call('DELETE', `${PATH}/${gone}`, { key: shop.key });
    for (const [method, path, body] of paths(gone, sent.id)) {
      const reply = await api.call(method, PATH + path, { key: shop.key, ...(body && { body }) });
      expect([method, path, refusal(reply)]).toEqual([method, path, '404 4000 Rejected']);
    }
  });

  it('can be made by at most 50 endpoints, also if they are created at once: 400, 2011', async () => {
    const crowd = await api.otherMerchant({ managedWebhooks: true });
    const body = { url: 'https://crowd.example/', eventTypes: ['*'] };
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => api.call('POST', PATH, { key: crowd.key, body })),
    );
    const refused = replies.filter(({ status }) => status !== 200).map(refusal);
    expect(refused).toEqual(Array(10).fill('400 2011 Rejected'));
    expect((await api.list<WebhookEndpoint>(`${PATH}?limit=100`, crowd)).data).toHaveLength(50);
  }, 60_000);

  it('are not sent again after 30 days: 400, 2011, with the reason; a range leaves them out', async () => {
    const days = { advanceSeconds: 31 * 24 * 3_600, settle: false };
    answered(await api.call('POST', '/admin/v1/sandbox/clock', { body: days }));
    const [delivery] = deliveries;
    const one = await api.call('POST', `${PATH}/${id}/deliveries/${delivery?.id}/replay`, { key: shop.key });
    expect(refusal(one)).toBe('400 2011 Rejected');
    expect(one.text).toContain('30 days');
    const range = await api.call('POST', `${PATH}/${id}/replay`, { key: shop.key, body: SINCE });
    expect(answered(range)).toEqual({ count: 0 });
  });
});

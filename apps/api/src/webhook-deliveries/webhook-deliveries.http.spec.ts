import type { WebhookDelivery, WebhookEndpoint, WebhookPayload, WebhookReplay } from '@tillstream/contracts';
import { EVENT_TYPES_OF } from '@tillstream/domain';
import { exampleBody } from '@tillstream/webhook-delivery';
import { answered, eventually } from '../testing/eventually.js';
import { refusal, startTestApi, type Call, type OtherMerchant, type TestApi } from '../testing/test.api.js';
import { numberWebhooks } from '../testing/webhook.numbering.js';

const PATH = '/v1/webhook-endpoints';
const DAY_S = 24 * 3_600;

let api: TestApi;
let shop: OtherMerchant;
let other: OtherMerchant;
let stopNumbering: () => Promise<void>;
beforeAll(async () => {
  api = await startTestApi();
  stopNumbering = await numberWebhooks(api.config);
  shop = await api.otherMerchant({ managedWebhooks: true });
  other = await api.otherMerchant({ managedWebhooks: true });
});
afterAll(async () => {
  await stopNumbering();
  await api.stop();
});

const call = (method: string, path: string, { key = shop.key, ...more }: Call = {}) =>
  api.call(method, `${PATH}/${path}`, { key, ...more });
const list = async (id: string, query = '', key = shop.key) =>
  api.list<WebhookDelivery>(`${PATH}/${id}/deliveries${query}`, { key });
async function newEndpoint(eventTypes = ['*'], key = shop.key): Promise<string> {
  const body = { url: 'https://shop.example/webhooks', eventTypes };
  return answered<WebhookEndpoint>(await api.call('POST', PATH, { key, body })).id;
}
async function sales(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++)
    ids.push((await api.transaction('physical-sale', { amount: 100 + index }, { key: shop.key })).id);
  return ids;
}
const listed = (id: string, count: number) => eventually(async () => (await list(id)).data.length === count);

describe('The deliveries of a webhook endpoint', () => {
  it('are those of the events since its creation, newest first, in pages without gaps', async () => {
    await sales(1);
    const id = await newEndpoint();
    await sales(5);
    await listed(id, 5);
    const { data } = await list(id);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^dlv_[0-9A-Z]{26}$/) as string,
      eventId: expect.stringMatching(/^evt_[0-9A-Z]{26}$/) as string,
      eventType: 'sale.completed',
      hookId: expect.stringMatching(/^msg_[0-9A-Z]{26}$/) as string,
      status: 'Pending',
      createdAt: expect.stringMatching(/Z$/) as string,
      nextTryAt: expect.stringMatching(/Z$/) as string,
      tries: [],
    });
    expect(data.map(({ createdAt }) => createdAt)).toEqual(
      data
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .reverse(),
    );
    const first = await list(id, '?limit=2');
    const second = await list(id, `?limit=2&cursor=${first.nextCursor}`);
    const third = await list(id, `?cursor=${second.nextCursor}`);
    expect([...first.data, ...second.data, ...third.data]).toEqual(data);
    expect(third.hasMore).toBe(false);
    expect(answered(await call('GET', `${id}/deliveries/${data[1]?.id}`))).toEqual(data[1]);
  });

  it('are filtered by status, type, event and time', async () => {
    const id = await newEndpoint();
    await sales(2);
    await listed(id, 2);
    const [newest, oldest] = (await list(id)).data;
    const ids = async (query: string) => (await list(id, `?${query}`)).data.map((one) => one.id);
    expect(await ids('status=Pending')).toEqual([newest?.id, oldest?.id]);
    expect(await ids('status=Succeeded')).toEqual([]);
    expect(await ids('eventType=void.completed')).toEqual([]);
    expect(await ids(`eventId=${oldest?.eventId}`)).toEqual([oldest?.id]);
    expect(await ids(`createdFrom=${newest?.createdAt}`)).toContain(newest?.id);
    expect(await ids(`createdTo=${newest?.createdAt}`)).not.toContain(newest?.id);
    expect(
      await ids('status=Pending&status=Failed&eventType=sale.completed&eventType=void.completed'),
    ).toEqual([newest?.id, oldest?.id]);
    expect(await ids(`eventId=${oldest?.eventId}&eventId=evt_none&status=Pending`)).toEqual([oldest?.id]);
    expect(await ids(`eventId=${oldest?.eventId}&status=Failed`)).toEqual([]);
    expect(await ids('createdFrom=2030-01-02T00:00:00Z&createdTo=2030-01-01T00:00:00Z')).toEqual([]);
    expect(refusal(await call('GET', `${id}/deliveries?status=Lost`))).toBe('400 2000 Rejected status');
    expect(refusal(await call('GET', `${id}/deliveries?createdFrom=now`))).toBe(
      '400 2000 Rejected createdFrom',
    );
  });

  it('are sorted by their creation in both directions, and counted', async () => {
    const id = await newEndpoint();
    await sales(3);
    await listed(id, 3);
    const newestFirst = (await list(id)).data;
    const first = await list(id, '?sort=createdAt&limit=2&includeTotal=true');
    expect(first.total).toBe(3);
    const second = await list(id, `?sort=createdAt&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(newestFirst.toReversed());
    expect((await list(id, '?status=Succeeded&includeTotal=true')).total).toBe(0);
    expect(refusal(await call('GET', `${id}/deliveries?sort=amount`))).toBe('400 2000 Rejected sort');
    expect(refusal(await call('GET', `${id}/deliveries?cursor=${first.nextCursor}`))).toBe(
      '400 2000 Rejected cursor',
    );
  });

  it('of another merchant, or to another endpoint, are not found: 404, 4000', async () => {
    const id = await newEndpoint();
    await sales(1);
    await listed(id, 1);
    const [{ id: delivery } = { id: '' }] = (await list(id)).data;
    const theirs = await newEndpoint(['*'], other.key);
    for (const [endpoint, key] of [
      [id, other.key],
      [theirs, other.key],
      [theirs, shop.key],
      [await newEndpoint(), shop.key],
    ] as const) {
      const one = `${endpoint}/deliveries/${delivery}`;
      expect(refusal(await call('GET', one, { key }))).toBe('404 4000 Rejected');
      expect(refusal(await call('POST', `${one}/replay`, { key }))).toBe('404 4000 Rejected');
    }
    const calls = [
      ['GET', 'deliveries', undefined],
      ['POST', 'replay', { failedSince: '2026-08-03T12:00:00Z' }],
      ['POST', 'test', {}],
    ] as const;
    for (const [method, path, body] of calls) {
      const reply = await call(method, `${id}/${path}`, { key: other.key, ...(body && { body }) });
      expect(refusal(reply)).toBe('404 4000 Rejected');
    }
  });
});

describe('A replay', () => {
  const since = () => new Date(Date.now() - DAY_S * 1_000).toISOString();

  it('of one delivery answers it with the same ids, due now', async () => {
    const id = await newEndpoint();
    await sales(1);
    await listed(id, 1);
    const [before] = (await list(id)).data;
    const replayed = answered<WebhookDelivery>(await call('POST', `${id}/deliveries/${before?.id}/replay`));
    const { eventId, hookId } = before ?? {};
    expect(replayed).toMatchObject({ id: before?.id, eventId, hookId, status: 'Pending' });
  });

  it('of a range answers how many deliveries are sent again', async () => {
    const id = await newEndpoint();
    await sales(3);
    await listed(id, 3);
    // A disabled endpoint's deliveries stop; enabled again, they wait for a replay.
    await call('PUT', id, { body: { status: 'Disabled' } });
    await call('PUT', id, { body: { status: 'Enabled' } });
    const replay = async (body: object) =>
      answered<WebhookReplay>(await call('POST', `${id}/replay`, { body })).count;
    expect(await replay({ failedSince: new Date(Date.now() + DAY_S * 1_000).toISOString() })).toBe(0);
    expect(await replay({ failedSince: since() })).toBe(3);
    const [newest] = (await list(id)).data;
    expect(await replay({ from: since(), to: newest?.createdAt })).toBeLessThan(3);
  });

  it.each([
    [{}, '400 2000 Rejected failedSince'],
    [{ failedSince: 'yesterday' }, '400 2000 Rejected failedSince'],
    [{ from: '2026-08-03T12:00:00Z' }, '400 2000 Rejected to'],
    [{ to: '2026-08-03T12:00:00Z' }, '400 2000 Rejected failedSince from'],
    [{ from: '2026-08-03T12:00:00Z', to: '2026-08-03T12:00:00Z' }, '400 2000 Rejected to'],
    [{ from: '2026-08-03T12:00:00Z', to: '2026-08-03T13:00:00+02:00' }, '400 2000 Rejected to'],
    [
      { failedSince: '2026-08-03T12:00:00Z', from: '2026-08-03T12:00:00Z', to: '2026-08-04T12:00:00Z' },
      '400 2000 Rejected failedSince',
    ],
  ])('with %j is refused: %s', async (body, expected) => {
    const id = await newEndpoint();
    expect(refusal(await call('POST', `${id}/replay`, { body }))).toBe(expected);
  });

  it('to a disabled endpoint is refused: 400, 2011', async () => {
    const id = await newEndpoint();
    await sales(1);
    await listed(id, 1);
    const [one] = (await list(id)).data;
    await call('PUT', id, { body: { status: 'Disabled' } });
    for (const [path, body] of [
      ['replay', { failedSince: since() }],
      ['test', {}],
    ] as const)
      expect(refusal(await call('POST', `${id}/${path}`, { body }))).toBe('400 2011 Rejected');
    const again = await call('POST', `${id}/deliveries/${one?.id}/replay`);
    expect(refusal(again)).toBe('400 2011 Rejected');
  });
});

describe('A test event', () => {
  it('is delivered to this endpoint alone, also just after its creation', async () => {
    const [id, another] = [await newEndpoint(), await newEndpoint()];
    const sent = answered<WebhookDelivery>(await call('POST', `${id}/test`));
    expect(sent).toMatchObject({ eventType: 'sale.completed', status: 'Pending', tries: [] });
    const removed = answered<WebhookDelivery>(
      await call('POST', `${id}/test`, { body: { eventType: 'token.removed' } }),
    );
    expect((await list(id)).data.map((one) => one.id).toSorted()).toEqual([sent.id, removed.id].toSorted());
    expect((await list(another)).data).toEqual([]);
  });

  it.each(EVENT_TYPES_OF.Managed)('of type %s has the body that an event of this type has', async (type) => {
    const id = await newEndpoint();
    const sent = answered<WebhookDelivery>(await call('POST', `${id}/test`, { body: { eventType: type } }));
    expect(sent).toMatchObject({ eventType: type, status: 'Pending' });
    const { eventId, createdAt: timestamp } = sent;
    const body = exampleBody({ eventId, type, timestamp, merchantId: shop.id });
    const { event, ...content } = JSON.parse(Buffer.from(body).toString()) as WebhookPayload;
    expect(event).toEqual({ id: eventId, type, timestamp, merchantId: shop.id, test: true });
    const name = type.startsWith('merchant.')
      ? 'merchantApplication'
      : type.startsWith('pricing_template.')
        ? 'pricingTemplate'
        : 'originalResponse';
    expect(Object.keys(content)).toEqual([name]);
  });

  it('has a type that exists: 400, 2000', async () => {
    const id = await newEndpoint();
    const reply = await call('POST', `${id}/test`, { body: { eventType: 'sale.finished' } });
    expect(refusal(reply)).toBe('400 2000 Rejected eventType');
  });
});

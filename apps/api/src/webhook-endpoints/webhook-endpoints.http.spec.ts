import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tillstream/contracts';
import { answered, eventually } from '../testing/eventually.js';
import { refusal, startTestApi, type Call, type OtherMerchant, type TestApi } from '../testing/test.api.js';

const PATH = '/v1/webhook-endpoints';
const wanted = { url: 'https://shop.example/webhooks', eventTypes: ['*'] };
const DAY_MS = 24 * 3_600_000;

let api: TestApi;
let shop: OtherMerchant;
let other: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  shop = await api.otherMerchant({ managedWebhooks: true });
  other = await api.otherMerchant({ managedWebhooks: true });
});
afterAll(() => api.stop());

const call = (method: string, path: string, { key = shop.key, ...more }: Call = {}) =>
  api.call(method, `${PATH}${path}`, { key, ...more });
const create = (body: object = {}, more: Call = {}) =>
  call('POST', '', { body: { ...wanted, ...body }, ...more });
const made = async (body: object = {}, more: Call = {}) =>
  answered<WebhookEndpointWithSecret>(await create(body, more));
const list = async (query = '', key = shop.key) =>
  (await api.list<WebhookEndpoint>(`${PATH}${query}`, { key })).data;

describe('A managed webhook endpoint', () => {
  it('is created with a secret that no other response has', async () => {
    const created = await made({ description: 'Web shop' });
    expect(created).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-Z]{26}$/) as string,
      method: 'Managed',
      ...wanted,
      description: 'Web shop',
      status: 'Enabled',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      updatedAt: created.createdAt,
    });
    const { secret, ...shown } = created;
    expect(answered(await call('GET', `/${created.id}`))).toEqual(shown);
    expect(await list()).toContainEqual(shown);
    const changed = await call('PUT', `/${created.id}`, { body: { description: 'Shop' } });
    const deleted = await call('DELETE', `/${created.id}`);
    for (const { text } of [changed, deleted]) expect(text).not.toContain(secret);
  });

  it('is created once under an Idempotency-Key, with the same bytes', async () => {
    const headers = { 'idempotency-key': 'endpoint-1' };
    const first = await create({}, { headers });
    const again = await create({}, { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(refusal(await create({ description: 'x' }, { headers }))).toBe(
      '400 2000 Rejected Idempotency-Key',
    );
  });

  it('is changed, disabled and enabled', async () => {
    const { id, secret: _secret, ...before } = await made();
    const put = async (body: object) => answered<WebhookEndpoint>(await call('PUT', `/${id}`, { body }));
    const change = { url: 'https://new.example/hooks', eventTypes: ['sale.completed'], description: 'New' };
    const changed = await put({ ...change, status: 'Disabled' });
    expect(changed).toMatchObject({ id, ...change, status: 'Disabled', createdAt: before.createdAt });
    expect(changed).not.toHaveProperty('disabledReason');
    expect(await put({ status: 'Enabled' })).toMatchObject({ ...change, status: 'Enabled' });
    expect(refusal(await call('PUT', `/${id}`, { body: {} }))).toBe('400 2000 Rejected body');
  });

  it('is deleted once; the response shows it as it was', async () => {
    const { secret: _secret, ...created } = await made();
    const headers = { 'idempotency-key': 'away' };
    const deletion = await call('DELETE', `/${created.id}`, { headers });
    expect(answered(deletion)).toEqual(created);
    expect((await call('DELETE', `/${created.id}`, { headers })).text).toBe(deletion.text);
    expect(refusal(await call('DELETE', `/${created.id}`))).toBe('404 4000 Rejected');
    expect((await list()).map(({ id }) => id)).not.toContain(created.id);
  });

  it('gets another secret by a rotation', async () => {
    const { id, secret } = await made();
    const rotated = answered<WebhookEndpointWithSecret>(await call('POST', `/${id}/rotate-secret`));
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated).toMatchObject({ id, ...wanted });
  });

  it('of another merchant, of an operator, or unknown: 404, 4000', async () => {
    const theirs = (await made({}, { key: other.key })).id;
    const legacy = answered<WebhookEndpoint>(
      await api.call('POST', `/admin/v1/merchants/${shop.id}/legacy-webhook-endpoints`, { body: wanted }),
    ).id;
    for (const id of [theirs, legacy, 'whe_01JQ0000000000000000000000', 'nothing']) {
      expect(refusal(await call('GET', `/${id}`))).toBe('404 4000 Rejected');
      expect(refusal(await call('PUT', `/${id}`, { body: { status: 'Disabled' } }))).toBe(
        '404 4000 Rejected',
      );
      expect(refusal(await call('POST', `/${id}/rotate-secret`))).toBe('404 4000 Rejected');
      expect(refusal(await call('DELETE', `/${id}`))).toBe('404 4000 Rejected');
    }
    expect((await list()).filter(({ id }) => id === theirs || id === legacy)).toEqual([]);
    expect(await list('', other.key)).toMatchObject([{ id: theirs, status: 'Enabled' }]);
  });

  it('is listed in pages without gaps, newest first', async () => {
    const many = await api.otherMerchant({ managedWebhooks: true });
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await made({}, { key: many.key })).id);
    const first = await api.list<WebhookEndpoint>(`${PATH}?limit=2&includeTotal=true`, many);
    expect(first).toMatchObject({ total: 5, hasMore: true });
    const rest = await api.list<WebhookEndpoint>(`${PATH}?cursor=${first.nextCursor}`, many);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
    expect(refusal(await api.get(`${PATH}?cursor=${first.nextCursor}`, shop))).toBe(
      '400 2000 Rejected cursor',
    );
  });

  it('is one of at most 50: 400, 2011', async () => {
    const full = await api.otherMerchant({ managedWebhooks: true });
    for (let count = 0; count < 50; count++) expect((await create({}, full)).status).toBe(200);
    expect(refusal(await create({}, full))).toBe('400 2011 Rejected');
    const [one] = await list('', full.key);
    await call('DELETE', `/${one?.id}`, full);
    expect((await create({}, full)).status).toBe(200);
  }, 60_000);

  it.each([
    [{ eventTypes: undefined }, '2901 Rejected eventTypes'],
    [{ eventTypes: [] }, '2901 Rejected eventTypes'],
    [{ eventTypes: ['sale.finished'] }, '2903 Rejected eventTypes'],
    [{ eventTypes: ['*', 'toString'] }, '2903 Rejected eventTypes'],
    [{ eventTypes: '*' }, '2000 Rejected eventTypes'],
    [{ eventTypes: [1] }, '2000 Rejected eventTypes'],
    [{ url: undefined }, '2000 Rejected url'],
    [{ url: 'shop.example' }, '2000 Rejected url'],
    [{ url: 'https://ann:secret@shop.example' }, '2000 Rejected url'],
    [{ url: 'https://10.0.0.1/x' }, '2000 Rejected url'],
    [{ url: 'https://0xa9fea9fe/latest/meta-data' }, '2000 Rejected url'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, '2000 Rejected url'],
    [{ url: 'https://[64:ff9b::a00:1]/' }, '2000 Rejected url'],
    [{ url: `https://shop.example/${'a'.repeat(2_028)}` }, '2000 Rejected url'],
    [{ url: 'https://10.0.0.1', eventTypes: [] }, '2000 Rejected eventTypes url'],
    [{ description: '' }, '2000 Rejected description'],
    [{ description: 'x'.repeat(101) }, '2000 Rejected description'],
    [{ status: 'Paused' }, '2000 Rejected status'],
    [{ secret: 'a secret of my own choice' }, '2000 Rejected secret'],
    [{ method: 'Legacy' }, '2000 Rejected method'],
  ])('is not created with %j: 400, %s', async (body, answer) => {
    const reply = await create(body);
    expect(refusal(reply)).toBe(`400 ${answer}`);
    if ('url' in body && body.url !== undefined) expect(reply.text).not.toContain(body.url);
  });

  it.each([
    [{ eventTypes: [] }, '2901 Rejected eventTypes'],
    [{ eventTypes: ['sale.finished'] }, '2903 Rejected eventTypes'],
    [{ url: 'https://192.168.1.1' }, '2000 Rejected url'],
    [{ status: 'Gone' }, '2000 Rejected status'],
  ])('is not changed with %j: 400, %s', async (body, answer) => {
    const { id } = await made();
    expect(refusal(await call('PUT', `/${id}`, { body }))).toBe(`400 ${answer}`);
  });

  it('may name merchant lifecycle types, and this machine in the sandbox', async () => {
    const body = {
      url: 'http://localhost:4000/webhooks',
      eventTypes: ['merchant.approved', 'payment.returned'],
    };
    expect(await made(body)).toMatchObject(body);
  });
});

describe('A merchant without managed webhooks', () => {
  it('reads endpoints but never writes: 401, 1001, before any other error', async () => {
    const plain = await api.otherMerchant();
    expect(refusal(await create({ eventTypes: [] }, plain))).toBe('401 1001 Rejected');
    expect(refusal(await call('PUT', '/x', { key: plain.key, body: {} }))).toBe('401 1001 Rejected');
    expect(refusal(await call('DELETE', '/x', plain))).toBe('401 1001 Rejected');
    expect(refusal(await call('POST', '/x/rotate-secret', plain))).toBe('401 1001 Rejected');
    expect(await list('', plain.key)).toEqual([]);
  });

  it('may write within 2 s of getting them', async () => {
    const plain = await api.otherMerchant();
    expect((await create({}, plain)).status).toBe(401);
    await api.call('PUT', `/admin/v1/merchants/${plain.id}`, { body: { managedWebhooks: true } });
    await eventually(async () => (await create({}, plain)).status === 200);
  });

  it('with a read-only key can not write either: 401, 1001', async () => {
    const key = await api.keyOf(shop.id, { readOnly: true });
    expect(refusal(await create({}, { key }))).toBe('401 1001 Rejected');
    expect((await call('GET', '', { key })).status).toBe(200);
  });
});

describe('The times of a webhook endpoint', () => {
  it('are those of the service’s clock', async () => {
    const { id, createdAt } = await made();
    await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: (3 * DAY_MS) / 1000 } });
    const { updatedAt } = answered<WebhookEndpoint>(
      await call('PUT', `/${id}`, { body: { description: 'Later' } }),
    );
    expect(Date.parse(updatedAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(3 * DAY_MS);
  });
});

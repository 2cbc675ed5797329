import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tillstream/contracts';
import { answered } from '../../testing/eventually.js';
import {
  refusal,
  startTestApi,
  type Call,
  type OtherMerchant,
  type TestApi,
} from '../../testing/test.api.js';

const wanted = { url: 'https://shop.example/webhooks', eventTypes: ['sale.completed', 'token.removed'] };
const SECRET = 'a secret that both sides know';

let api: TestApi;
let shop: OtherMerchant;
let other: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  shop = await api.otherMerchant();
  other = await api.otherMerchant();
});
afterAll(() => api.stop());

const pathOf = (merchantId: string) => `/admin/v1/merchants/${merchantId}/legacy-webhook-endpoints`;
const call = (method: string, path = '', more: Call = {}, merchantId = shop.id) =>
  api.call(method, `${pathOf(merchantId)}${path}`, more);
const create = (body: object = {}, merchantId = shop.id) =>
  call('POST', '', { body: { ...wanted, ...body } }, merchantId);
const made = async (body: object = {}) => answered<WebhookEndpointWithSecret>(await create(body));

describe('A legacy webhook endpoint', () => {
  it('is created for a merchant without managed webhooks, with a secret that no other response has', async () => {
    const { secret, ...created } = await made();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(created).toMatchObject({ ...wanted, method: 'Legacy', status: 'Enabled' });
    expect(created.id).toMatch(/^whl_[0-9A-Z]{26}$/);
    const { data } = await api.list<WebhookEndpoint>(`${pathOf(shop.id)}?includeTotal=true`);
    expect(data).toContainEqual(created);
    expect((await call('DELETE', `/${created.id}`)).text).not.toContain(secret);
  });

  it('keeps the secret that was agreed, and shows it', async () => {
    expect((await made({ secret: SECRET })).secret).toBe(SECRET);
  });

  it.each([
    [{ secret: 'x'.repeat(15) }, '2000 Rejected secret'],
    [{ secret: 'x'.repeat(129) }, '2000 Rejected secret'],
    [{ secret: 'with a\nline feed in it' }, '2000 Rejected secret'],
    [{ eventTypes: [] }, '2901 Rejected eventTypes'],
    [{ eventTypes: ['merchant.approved'] }, '2903 Rejected eventTypes'],
    [{ eventTypes: ['sale.completed', 'pricing_template.rejected'] }, '2903 Rejected eventTypes'],
    [{ url: 'https://169.254.169.254/' }, '2000 Rejected url'],
    [{ description: 'x' }, '2000 Rejected description'],
  ])('is not created with %j: 400, %s', async (body, answer) => {
    const reply = await create(body);
    expect(refusal(reply)).toBe(`400 ${answer}`);
    if ('secret' in body) expect(reply.text).not.toContain(body.secret);
  });

  it('is disabled, enabled, rotated and deleted', async () => {
    const { id, secret } = await made();
    const post = async <Shown = WebhookEndpoint>(step: string, body?: object) =>
      answered<Shown>(await call('POST', `/${id}/${step}`, body ? { body } : {}));
    expect((await post('disable')).status).toBe('Disabled');
    expect((await post('enable')).status).toBe('Enabled');
    expect((await post<WebhookEndpointWithSecret>('rotate-secret')).secret).not.toBe(secret);
    expect((await post<WebhookEndpointWithSecret>('rotate-secret', { secret: SECRET })).secret).toBe(SECRET);
    expect(answered<WebhookEndpoint>(await call('DELETE', `/${id}`)).id).toBe(id);
    expect(refusal(await call('DELETE', `/${id}`))).toBe('404 4000 Rejected');
  });

  it('of another merchant, managed, or of an unknown merchant: 404, 4000', async () => {
    const { id } = await made();
    const demo = api.running.facts.merchantId;
    const managed = answered<WebhookEndpoint>(
      await api.call('POST', '/v1/webhook-endpoints', { body: wanted }),
    ).id;
    for (const [of, endpointId] of [
      [other.id, id],
      [demo, managed],
      ['mer_01JQ0000000000000000000000', id],
      ['nothing', id],
    ] as const) {
      expect(refusal(await call('DELETE', `/${endpointId}`, {}, of))).toBe('404 4000 Rejected');
      expect(refusal(await call('POST', `/${endpointId}/disable`, {}, of))).toBe('404 4000 Rejected');
    }
    expect(refusal(await call('GET', '', {}, 'mer_01JQ0000000000000000000000'))).toBe('404 4000 Rejected');
    expect(refusal(await create({}, 'mer_01JQ0000000000000000000000'))).toBe('404 4000 Rejected');
  });

  it('needs an admin key: 401, 1000', async () => {
    expect(refusal(await call('GET', '', { key: shop.key }))).toBe('401 1000 Rejected');
  });
});

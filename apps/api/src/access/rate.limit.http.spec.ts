import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ RATE_LIMIT_PER_SECOND: '5' });
});
afterAll(() => api.stop());

const burst = (key: string, requests: number) =>
  Promise.all(Array.from({ length: requests }, () => api.get('/v1/payment-methods', { key })));

describe('The rate limit', () => {
  it('of a merchant answers 429, 3000 with Retry-After in seconds once its burst is used up', async () => {
    const { key } = await api.otherMerchant({ rateLimitPerSecond: 3 });
    const begun = performance.now();
    const replies = await burst(key, 20);
    const refilled = Math.ceil((3 * (performance.now() - begun)) / 1000);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(20 - 3 - refilled);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) {
      expect(refusal(reply)).toBe('429 3000 Rejected');
      expect(reply.headers.get('retry-after')).toBe('1');
    }
  });

  it('is in the X-RateLimit headers of every response', async () => {
    const { key } = await api.otherMerchant({ rateLimitPerSecond: 50 });
    const { headers } = await api.get('/v1/nothing', { key });
    expect(headers.get('x-ratelimit-limit')).toBe('50');
    expect(headers.get('x-ratelimit-remaining')).toBe('49');
    expect(Math.abs(Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000)).toBeLessThan(2);
  });

  it('is in the headers of 401, 1001 too, which takes no token', async () => {
    const shop = await api.otherMerchant({ rateLimitPerSecond: 1 });
    const readOnly = await api.keyOf(shop.id, { readOnly: true });
    const remaining = async () => {
      const reply = await api.operation('void', {}, { key: readOnly });
      expect(refusal(reply)).toBe('401 1001 Rejected');
      expect(reply.headers.get('x-ratelimit-limit')).toBe('1');
      expect(reply.headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
      return reply.headers.get('x-ratelimit-remaining');
    };
    expect([await remaining(), await remaining()]).toEqual(['1', '1']);
    expect((await api.get('/v1/payment-methods', { key: shop.key })).status).toBe(200);
    expect(await remaining()).toBe('0');

    const actor = { type: 'Operator', name: 'tester' } as const;
    await api.running.provisioning.setMerchantDisabled(actor, shop.id, { disabled: true });
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    const { status, headers } = await api.get('/v1/payment-methods', { key: shop.key });
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([401, '1']);
  });

  it('of a merchant without one of its own is the service’s, with a burst of twice that', async () => {
    const { key } = await api.otherMerchant({ rateLimitPerSecond: 'default' });
    const { headers } = await api.get('/v1/payment-methods', { key });
    expect(headers.get('x-ratelimit-limit')).toBe('10');
  });

  it('does not bind the demo merchant', async () => {
    const replies = await burst(api.key, 30);
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(replies[0]?.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('wins over an unknown path, and 401 wins over it', async () => {
    const { id, key } = await api.otherMerchant({ rateLimitPerSecond: 1 });
    await api.get('/v1/payment-methods', { key });
    expect((await api.get('/v1/nothing', { key })).status).toBe(429);
    const readOnly = await api.keyOf(id, { readOnly: true });
    expect((await api.operation('void', {}, { key: readOnly })).status).toBe(401);
  });
});

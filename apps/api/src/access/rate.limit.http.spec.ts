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
    const replies = await burst(key, 6);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    for (const reply of refused) {
      expect(refusal(reply)).toBe('429 3000 Rejected');
      expect(reply.headers.get('retry-after')).toBe('1');
    }
  });

  it('is told in X-RateLimit headers on every answer', async () => {
    const { key } = await api.otherMerchant({ rateLimitPerSecond: 50 });
    const { headers } = await api.get('/v1/nothing', { key });
    expect(headers.get('x-ratelimit-limit')).toBe('50');
    expect(headers.get('x-ratelimit-remaining')).toBe('49');
    expect(Math.abs(Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000)).toBeLessThan(2);
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

import { readFileSync } from 'node:fs';
import { startTestApi, type Reply, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const load = (headers: Record<string, string> = {}): Promise<Reply> =>
  api.get('/payment-form.js', { key: null, headers });

describe('/payment-form.js', () => {
  it('is the script of the published package, for pages of every origin', async () => {
    const { status, headers, text } = await load({ origin: 'https://shop.example' });
    const file = new URL('../../../../libs/payment-form/dist/bundled/payment-form.js', import.meta.url);
    expect([status, text]).toEqual([200, readFileSync(file, 'utf8')]);
    expect(text).toContain('Tillstream');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is cached for minutes, and sent again only where it changed', async () => {
    const first = await load();
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const again = await load({ 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

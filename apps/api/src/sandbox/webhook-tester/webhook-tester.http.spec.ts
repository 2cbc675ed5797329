import { startTestApi, type Call, type Reply, type TestApi } from '../../testing/test.api.js';
import type { TesterView } from './webhook.tester.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** As the page calls: without any key. */
const call = (method: string, path: string, more: Call = {}): Promise<Reply> =>
  api.call(method, path, { key: null, ...more });
const parsed = ({ status, text }: Reply): TesterView => {
  expect([status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text) as TesterView;
};
const view = async (after = 0) => parsed(await call('GET', `/sandbox/data/webhooks?after=${after}`));
const deliver = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${api.running.origin}/sandbox/webhooks/receive`, { method: 'POST', headers, body });

describe('The page of the endpoint tester', () => {
  it.each([
    ['', 'text/html; charset=utf-8'],
    ['/files/webhooks.css', 'text/css; charset=utf-8'],
    ['/files/webhooks.js', 'text/javascript; charset=utf-8'],
  ])('is served without a key: %s as %s', async (path, type) => {
    const reply = await call('GET', `/sandbox/webhooks${path}`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  });

  it('has no script or style in it, takes nothing from elsewhere, and has no other files', async () => {
    const { text } = await call('GET', '/sandbox/webhooks');
    expect(text).not.toMatch(/<script(?![^>]* src="\/)|<style|style=|\son\w+=|https?:/);
    expect((await call('GET', '/sandbox/webhooks/files/..%2fdocs%2freference.html')).status).toBe(404);
  });
});

describe('The endpoint of the tester', () => {
  it('is a managed one of the demo merchant, made once, and its secret is never shown', async () => {
    const first = await view();
    const second = parsed(await call('POST', '/sandbox/data/webhooks/endpoint', { body: {} }));
    expect(first.endpoint).toMatchObject({
      method: 'Managed',
      status: 'Enabled',
      eventTypes: ['*'],
      url: `${api.running.origin}/sandbox/webhooks/receive`,
    });
    expect(second.endpoint?.id).toBe(first.endpoint?.id);
    expect(JSON.stringify([first, second, await view()])).not.toContain('whsec_');
  });

  it('is enabled, or made again after its deletion, when the page asks for it', async () => {
    const { endpoint: first } = await view();
    const path = `/v1/webhook-endpoints/${first?.id}`;
    await api.call('PUT', path, { body: { status: 'Disabled' } });
    expect((await view()).endpoint?.status).toBe('Disabled');
    const enabled = parsed(await call('POST', '/sandbox/data/webhooks/endpoint', { body: {} }));
    expect(enabled.endpoint).toMatchObject({ id: first?.id, status: 'Enabled' });
    await api.call('DELETE', path);
    expect((await view()).endpoint).toBeNull();
    const again = parsed(await call('POST', '/sandbox/data/webhooks/endpoint', { body: {} }));
    expect(again.endpoint).toMatchObject({ url: first?.url, status: 'Enabled' });
    expect(again.endpoint?.id).not.toBe(first?.id);
  });

  it('answers 400 to what it can not verify, and shows why', async () => {
    const before = (await view()).deliveries.length;
    expect((await deliver('{}')).status).toBe(400);
    const [shown] = (await view(before)).deliveries;
    expect(shown).toMatchObject({ verification: 'SignatureMissing', answered: 400, body: '{}' });
    expect(shown?.event).toBeUndefined();
  });

  it('refuses a body of more than 100,000 bytes, and keeps nothing of it', async () => {
    const before = (await view()).deliveries.length;
    expect((await deliver('x'.repeat(100_001))).status).toBe(400);
    expect((await view()).deliveries).toHaveLength(before);
  });

  it('takes requests of its own page only', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await call('POST', '/sandbox/data/webhooks/endpoint', { body: {}, headers })).status).toBe(401);
    expect((await call('PUT', '/sandbox/data/webhooks/answer', { body: { answer: 'Maybe' } })).status).toBe(
      400,
    );
    expect(
      parsed(await call('PUT', '/sandbox/data/webhooks/answer', { body: { answer: 'Fail' } })).answer,
    ).toBe('Fail');
  });
});

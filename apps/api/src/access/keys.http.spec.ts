import { envelopeOf, refusal, startTestApi, type OtherMerchant, type TestApi } from '../testing/test.api.js';

let api: TestApi;
let other: OtherMerchant;
beforeAll(async () => {
  api = await startTestApi();
  other = await api.otherMerchant();
});
afterAll(() => api.stop());

const list = '/v1/payment-methods';
const clock = '/admin/v1/sandbox/clock';
const someKey = `sk_test_${'a'.repeat(32)}`;

describe('An API key', () => {
  it('is taken from x-api-key', async () => {
    expect((await api.get(list)).status).toBe(200);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('is taken from Authorization: %s', async (scheme) => {
    const reply = await api.get(list, { key: null, headers: { authorization: `${scheme} ${api.key}` } });
    expect(reply.status).toBe(200);
  });

  it('may be sent in both headers when it is the same', async () => {
    expect((await api.get(list, { headers: { authorization: `Bearer ${api.key}` } })).status).toBe(200);
  });

  it('sent twice and different: 401, 1000, whichever is good', async () => {
    const reply = await api.get(list, { headers: { authorization: `Bearer ${other.key}` } });
    expect(refusal(reply)).toBe('401 1000 Rejected');
  });

  it.each(['Bearer', 'Bearer a b', 'bearer \t'])(
    'next to a malformed Bearer (%j) is one of two: 401, 1000',
    async (authorization) => {
      expect(refusal(await api.get(list, { headers: { authorization } }))).toBe('401 1000 Rejected');
    },
  );

  it('next to another scheme is the only one', async () => {
    expect((await api.get(list, { headers: { authorization: 'Basic YTpi' } })).status).toBe(200);
    expect((await api.get(list, { headers: { authorization: 'Bearers a b' } })).status).toBe(200);
  });

  it('of another scheme is none', async () => {
    const reply = await api.get(list, { key: null, headers: { authorization: `Basic ${api.key}` } });
    expect(refusal(reply)).toBe('401 1000 Rejected');
  });

  it.each([
    ['missing', null],
    ['empty', ''],
    ['unknown', someKey],
    ['malformed', 'hello'],
    ['too long', `${someKey}a`],
    ['a live one', someKey.replace('test', 'live')],
    ['with a quote', `sk_test_${'a'.repeat(31)}'`],
  ])('that is %s: 401, 1000', async (_kind, key) => {
    expect(refusal(await api.get(list, { key }))).toBe('401 1000 Rejected');
  });

  it('never appears in the answer that refuses it', async () => {
    expect((await api.get(list, { key: someKey })).text).not.toContain(someKey);
  });

  it('works at once after it was issued, and not any more within 2 s of being revoked', async () => {
    const { provisioning } = api.running;
    const actor = { type: 'Operator', name: 'tester' } as const;
    const { key, keyId } = await provisioning.issueApiKey(actor, other.id, {
      name: 'Short-lived',
      readOnly: false,
      mode: 'test',
    });
    expect((await api.get(list, { key })).status).toBe(200);
    await provisioning.revokeApiKey(actor, other.id, keyId);
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    expect(refusal(await api.get(list, { key }))).toBe('401 1000 Rejected');
  });

  it('that may only read: 401, 1001 on every writing call, and reading works', async () => {
    const key = await api.keyOf(other.id, { readOnly: true });
    expect((await api.get(list, { key })).status).toBe(200);
    for (const name of ['physical-sale', 'capture', 'void']) {
      expect(refusal(await api.operation(name, {}, { key }))).toBe('401 1001 Rejected');
    }
  });

  it('of a disabled merchant: 401, 1001 on every call', async () => {
    const closed = await api.otherMerchant();
    await api.running.provisioning.setMerchantDisabled({ type: 'Operator', name: 'tester' }, closed.id, {
      disabled: true,
    });
    expect(refusal(await api.get(list, { key: closed.key }))).toBe('401 1001 Rejected');
    expect(refusal(await api.operation('void', {}, { key: closed.key }))).toBe('401 1001 Rejected');
  });

  it('of an operator under /v1, or of a merchant under /admin/v1: 401, 1000', async () => {
    expect(refusal(await api.get(list, { key: api.adminKey }))).toBe('401 1000 Rejected');
    expect(refusal(await api.get(clock, { key: api.key }))).toBe('401 1000 Rejected');
    expect((await api.get(clock)).status).toBe(200);
  });
});

describe('An unknown path', () => {
  it.each([
    ['GET', '/v1/nothing'],
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['DELETE', '/v1/transactions/capture'],
    ['PATCH', '/v1/payment-methods'],
    ['GET', '/v1/payment-methods/'],
    ['GET', '/v1/Payment-Methods'],
    ['POST', '/v1/transactions'],
    ['GET', '/v1/%E0%A4%A'],
    ['GET', '/v1/transactions/%00/x'],
    ['GET', '/admin/v1/nothing'],
    ['DELETE', '/admin/v1/sandbox/clock'],
  ])('or a wrong method (%s %s) is 401 without a good key, else 404, 4000', async (method, path) => {
    expect(refusal(await api.call(method, path, { key: someKey }))).toBe('401 1000 Rejected');
    expect(refusal(await api.call(method, path))).toBe('404 4000 Rejected');
  });

  it('asks no more of a read-only key than that it is good', async () => {
    const key = await api.keyOf(other.id, { readOnly: true });
    expect(refusal(await api.call('POST', '/v1/nothing', { key }))).toBe('404 4000 Rejected');
  });

  it('outside of the two bases needs no key', async () => {
    expect(refusal(await api.get('/nothing', { key: null }))).toBe('404 4000 Rejected');
    expect(refusal(await api.get('/', { key: null }))).toBe('404 4000 Rejected');
  });

  it('says 404 before it looks at a body', async () => {
    const reply = await api.call('POST', '/v1/nothing', { body: 'no json' });
    expect(envelopeOf(reply).code).toBe(4000);
  });
});

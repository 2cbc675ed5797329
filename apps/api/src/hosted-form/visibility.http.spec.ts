import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';
import { entered, open, TestForm } from './form.testing.js';

const ENDPOINTS = ['virtual-sale', 'virtual-auth', 'unreferenced-virtual-refund', 'token'];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    BREAKER_FAILURES: '0',
    INQUIRY_MARGIN_MS: '600000',
    PUBLIC_URL: 'https://pay.example',
  });
});
afterAll(() => api.stop());

describe('A waiting form', () => {
  it.each(ENDPOINTS)('of %s is listed at once as Pending, with its link', async (name) => {
    const { opened, id } = await TestForm.open(api, name);
    expect(opened.form?.url).toBe(`https://pay.example/pay/${opened.form?.sessionId}`);
    const { data } = await api.list(`/v1/transactions?id=${id}&status=Pending`);
    expect(data).toEqual([opened]);
    expect(opened).toMatchObject({ status: 'Pending', resultCode: 1010 });
  });

  it('is unknown to other merchants', async () => {
    const { id, sessionId } = await TestForm.open(api, 'virtual-sale');
    const { key } = await api.otherMerchant();
    expect(refusal(await api.get(`/v1/transactions/${id}`, { key }))).toBe('404 4000 Rejected');
    expect((await api.list(`/v1/transactions?id=${id}`, { key })).data).toEqual([]);
    const body = { originalTransactionId: id };
    expect(refusal(await api.operation('refund', body, { key }))).toBe('404 4000 Rejected');
    const { text } = await api.get(`/v1/transactions`, { key });
    expect(text).not.toContain(sessionId);
  });

  it('is no link for operators, who see its unknown outcome', async () => {
    const { sessionId, id, ...form } = await TestForm.open(api, 'virtual-sale', { amount: 920_003 });
    expect(form.opened.status).toBe('Pending');
    await api.call('POST', `/pay/${sessionId}/submit`, { body: entered(), key: null });
    const listed = await api.get(`/admin/v1/unknown-outcomes?limit=100`);
    expect(listed.text).toContain(id);
    expect(listed.text).not.toContain('ses_');
    const inquired = await api.call('POST', `/admin/v1/unknown-outcomes/${id}/inquire`, { body: {} });
    expect(inquired.text).not.toContain('ses_');
  });

  it('takes the session id of its own only', async () => {
    const [one, two] = [await TestForm.open(api, 'virtual-sale'), await TestForm.open(api, 'token')];
    await one.submitted();
    expect((await two.session()).transactionId).toBe(two.id);
    expect((await two.look()).status).toBe('Pending');
    const changed = `${one.sessionId.slice(0, -1)}${one.sessionId.endsWith('0') ? '1' : '0'}`;
    for (const id of [changed, one.id, one.sessionId.slice(0, -1), `${one.sessionId}0`]) {
      const reply = await api.get(`/pay/${id}/session`, { key: null });
      expect(refusal(reply)).toBe('404 3201 Rejected');
    }
  });

  it('is opened once by an Idempotency-Key, and once more by each other request', async () => {
    const headers = { 'idempotency-key': 'order-1001' };
    const first = await open(api, 'virtual-sale', {}, { headers });
    await TestForm.of(api, first).submitted();
    const again = await open(api, 'virtual-sale', {}, { headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const other = await open(api, 'virtual-sale', { amount: 1251 }, { headers });
    expect(refusal(other)).toBe('400 2000 Rejected Idempotency-Key');
    const { form } = (await TestForm.open(api, 'virtual-sale')).opened;
    expect(first.text).not.toContain(form?.sessionId);
  });
});

describe('The calls of a form', () => {
  it('need no key, ignore the one of a merchant, and have no rate limit of one', async () => {
    const merchant = await api.otherMerchant({ rateLimitPerSecond: 3 });
    const body = { type: 'Virtual', currency: 'USD' };
    await api.call('POST', `/admin/v1/merchants/${merchant.id}/forms`, { body });
    const form = TestForm.of(api, await open(api, 'virtual-sale', {}, { key: merchant.key }));
    const path = `/pay/${form.sessionId}/session`;
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => api.get(path, { key: index < 5 ? null : merchant.key })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    for (const { headers } of replies) {
      expect(headers.has('x-ratelimit-limit')).toBe(false);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(refusal(await api.get(`${path}/more`, { key: null }))).toBe('404 4000 Rejected');
  });

  it('show what the page needs, and nothing of a card', async () => {
    const form = await TestForm.open(api, 'virtual-auth', {
      returnUrl: 'https://shop.example/paid',
      useJavaScriptCallback: true,
    });
    const session = await form.session();
    expect(session).toEqual({
      transactionId: form.id,
      referenceId: form.opened.referenceId,
      status: 'Pending',
      resultCode: 1010,
      resultText: form.opened.resultText,
      triesLeft: 5,
      type: 'Auth',
      merchantName: 'Maple Street Books',
      amount: 1250,
      currency: 'USD',
      paymentMethodType: 'Virtual',
      locale: 'en-US',
      formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: false, piiFields: [] },
      useJavaScriptCallback: true,
      messageOrigins: expect.arrayContaining(['https://shop.example']) as string[],
      expiresAt: form.opened.form?.expiresAt,
      now: expect.any(String) as string,
    });
    await form.submitted();
    expect(await form.session()).toMatchObject({
      ...session,
      status: 'Completed',
      resultCode: 0,
      now: expect.any(String) as string,
      resultText: expect.any(String) as string,
      triesLeft: 0,
    });
  });
});

import { startTestApi, type TestApi } from '../testing/test.api.js';
import { entered, TestForm } from './form.testing.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

describe('A form of', () => {
  it.each([
    ['virtual-sale', 'Sale', { amount: 1250 }],
    ['virtual-auth', 'Auth', { amount: 1250 }],
    ['unreferenced-virtual-refund', 'UnreferencedRefund', { amount: 1250 }],
    ['token', 'TokenCreate', {}],
  ])('%s waits for the customer, and completes when a card is approved', async (name, type, amount) => {
    const form = await TestForm.open(api, name);
    expect(form.opened).toMatchObject({
      type,
      ...amount,
      status: 'Pending',
      resultCode: 1010,
      transactionResponses: [],
      paymentMethod: { type: 'Virtual' },
    });
    const { url, sessionId, expiresAt } = form.opened.form ?? {};
    expect(sessionId).toMatch(/^ses_[0-9A-Za-z]{32}$/);
    expect(url).toBe(`${api.running.origin}/pay/${sessionId}`);
    const lifetime = Date.parse(expiresAt ?? '') - Date.parse(form.opened.createdAt);
    expect(Math.abs(lifetime - 30 * 60_000)).toBeLessThan(1_000);
    expect(await form.look()).toEqual(form.opened);

    const progress = await form.submitted(entered());
    expect(progress).toEqual({
      transactionId: form.id,
      referenceId: form.opened.referenceId,
      status: 'Completed',
      resultCode: 0,
      resultText: expect.any(String),
      responseCode: 1,
      triesLeft: 0,
    });
    const ended = await form.look();
    expect(ended).toMatchObject({ type, ...amount, status: 'Completed', resultCode: 0 });
    expect(ended.form).toBeUndefined();
    const [response] = ended.transactionResponses;
    expect(response).toMatchObject({ responseCode: 1, cardType: 'VISA', avsResult: 'Y', cvvResult: 'M' });
    const { data } = await api.list(`/v1/transactions?id=${form.id}`);
    expect(data).toEqual([ended]);
  });
});

import { createLog } from '@tillstream/platform';
import { startTestApi, type TestApi } from '../testing/test.api.js';

const lines: string[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, createLog('info', { write: (line: string) => void lines.push(line) }));
});
afterAll(() => api.stop());
beforeEach(() => void lines.splice(0));

const requests = async (): Promise<Record<string, unknown>[]> => {
  await new Promise((resolve) => setTimeout(resolve, 30));
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'request');
};

describe('The request log', () => {
  it('has one line for each request, with the template of its path', async () => {
    const sale = await api.transaction('physical-sale', { amount: 1_000 });
    const look = await api.get(`/v1/transactions/${sale.id}`);
    const [first, second, ...rest] = await requests();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      level: 'info',
      method: 'POST',
      route: '/v1/transactions/physical-sale',
      status: 200,
      merchantId: api.running.facts.merchantId,
      transactionId: sale.id,
      ms: expect.any(Number) as number,
    });
    expect(second).toMatchObject({ route: '/v1/transactions/:id', traceId: look.headers.get('x-trace-id') });
  });

  it('has the code of an error', async () => {
    await api.operation('physical-sale', { amount: 0 });
    expect(await requests()).toMatchObject([{ status: 400, code: 2012 }]);
  });

  it('never holds a card number, a key, a header or a body, wherever they came', async () => {
    const pan = '4242424242424242';
    await api.get(`/v1/${pan}?card=${pan}`);
    await api.get(`/v1/transactions/${pan}`, { headers: { 'x-note': pan, cookie: `card=${pan}` } });
    await api.operation('physical-sale', { amount: 1, orderNumber: pan, referenceId: 'visible-nowhere' });
    await api.get('/v1/payment-methods', { key: `sk_test_${'k'.repeat(32)}` });
    expect((await requests()).length).toBe(4);
    const all = lines.join('');
    for (const secret of [pan, api.key, 'kkkk', 'visible-nowhere', 'x-note', 'cookie']) {
      expect(all).not.toContain(secret);
    }
  });
});

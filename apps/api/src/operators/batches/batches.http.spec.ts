import type { Batch, BatchClosing, SandboxClockMoved } from '@tillstream/contracts';
import { refusal, startTestApi, type TestApi } from '../../testing/test.api.js';

/** Done, and its answer never comes. */
const NO_ANSWER = 920_001;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const reply = (body: unknown = {}, merchant = api.running.facts.merchantId, headers = {}) =>
  api.call('POST', `/admin/v1/merchants/${merchant}/batches/close`, { body, headers });
async function close(body: unknown = {}): Promise<Batch[]> {
  const { status, text } = await reply(body);
  if (status !== 200) throw new Error(text);
  return (JSON.parse(text) as BatchClosing).data;
}
const closeUsd = async (): Promise<Batch> => (await close({ currency: 'USD' }))[0] as Batch;
const look = async (id: string): Promise<Batch> =>
  JSON.parse((await api.get(`/admin/v1/batches/${id}`)).text) as Batch;
const sale = (amount: number) => api.transaction('physical-sale', { amount });
const advance = async (seconds: number): Promise<SandboxClockMoved> => {
  const body = { advanceSeconds: seconds };
  return JSON.parse((await api.call('POST', '/admin/v1/sandbox/clock', { body })).text) as SandboxClockMoved;
};

describe('An operator who closes a merchant’s batches', () => {
  it('gets one for each currency, and once closed its payments answer as batched', async () => {
    const [one, other] = [await sale(1_000), await sale(250)];
    const [usd, cad] = await close();
    expect(usd).toEqual({
      id: expect.stringMatching(/^bat_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      merchantId: api.running.facts.merchantId,
      currency: 'USD',
      status: 'Closed',
      transactionCount: 2,
      amount: 1_250,
      openedAt: expect.any(String),
      closedAt: expect.any(String),
    });
    expect(cad).toMatchObject({ currency: 'CAD', status: 'Open', transactionCount: 0, amount: 0 });
    expect(cad).not.toHaveProperty('closedAt');
    expect(await look(usd?.id ?? '')).toEqual(usd);
    for (const { id } of [one, other]) expect((await api.look(id)).batchId).toBe(usd?.id);
    const { data } = await api.list(`/v1/transactions?batchId=${usd?.id}`);
    expect(data.map(({ id }) => id).sort()).toEqual([one.id, other.id].sort());
  });

  it('ends voids of what was taken, and refunds become refunds', async () => {
    const sold = await sale(900);
    await closeUsd();
    const original = { originalTransactionId: sold.id };
    expect(refusal(await api.operation('void', original))).toMatch(/^400 2011 Rejected/);
    const refund = await api.transaction('refund', { ...original, amount: 300 });
    expect(refund).toMatchObject({ status: 'Completed', executedAs: 'Refund' });
    expect(await closeUsd()).toMatchObject({ transactionCount: 1, amount: -300 });
  });

  it('leaves what has a void in flight to the next batch', async () => {
    const [held, other] = [await sale(1_000_000), await sale(10)];
    const voided = await api.operation('void', { originalTransactionId: held.id, amount: NO_ANSWER });
    expect(voided.status).toBe(500);
    const first = await closeUsd();
    expect(first).toMatchObject({ transactionCount: 1, amount: 10 });
    expect((await api.look(other.id)).batchId).toBe(first.id);
    expect((await api.look(held.id)).batchId).toBeUndefined();
    await advance(60);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await advance(1);
    const second = await closeUsd();
    expect(second).toMatchObject({ transactionCount: 1, amount: 1_000_000 - NO_ANSWER });
    expect(second.openedAt).toBe(first.closedAt);
  });

  it('sees what waits in a batch that is open', async () => {
    const [empty] = await close({ currency: 'USD' });
    expect(empty).toMatchObject({ status: 'Open', transactionCount: 0 });
    const sold = await sale(70);
    await api.transaction('void', { originalTransactionId: sold.id, amount: 20 });
    expect(await look(empty?.id ?? '')).toMatchObject({ status: 'Open', transactionCount: 1, amount: 50 });
    expect(await closeUsd()).toMatchObject({ id: empty?.id, transactionCount: 1, amount: 50 });
  });

  it('gets the same response again under the same Idempotency-Key', async () => {
    await sale(40);
    const headers = { 'idempotency-key': 'evening' };
    const first = await reply({ currency: 'USD' }, undefined, headers);
    await sale(41);
    const again = await reply({ currency: 'USD' }, undefined, headers);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    await closeUsd();
  });

  it('names a merchant that exists, and a currency that it takes', async () => {
    expect(refusal(await reply({}, 'mer_01K4PZWT3E5Y7N9Q2S4V6X8ZAB'))).toBe('404 4000 Rejected');
    expect(refusal(await reply({}, 'nobody'))).toBe('404 4000 Rejected');
    for (const currency of ['EUR', '', 7]) {
      expect(refusal(await reply({ currency }))).toBe('400 2000 Rejected currency');
    }
    expect(refusal(await reply({ amount: 1 }))).toBe('400 2000 Rejected amount');
    const usdOnly = await api.otherMerchant({ currencies: ['USD'] });
    expect(refusal(await reply({ currency: 'CAD' }, usdOnly.id))).toBe('400 2000 Rejected currency');
    expect(refusal(await api.get('/admin/v1/batches/bat_7GQ2M9XKTC4V8RWEZ1HJ5N3B6D'))).toBe(
      '404 4000 Rejected',
    );
    expect(refusal(await api.get('/admin/v1/batches/7'))).toBe('404 4000 Rejected');
  });

  it('may do so for a disabled merchant', async () => {
    const shop = await api.otherMerchant();
    await api.transaction('physical-sale', { amount: 60, paymentMethodId: shop.terminal }, { key: shop.key });
    await api.call('POST', `/admin/v1/merchants/${shop.id}/disable`, { body: { reason: 'test' } });
    const { text } = await reply({ currency: 'USD' }, shop.id);
    expect((JSON.parse(text) as BatchClosing).data).toMatchObject([{ status: 'Closed', amount: 60 }]);
  });
});

describe('The sandbox’s clock', () => {
  it('answers once every cut-off that it passed is closed, each at its own instant', async () => {
    await closeUsd();
    const first = await sale(500);
    const moved = await advance(2 * 86_400);
    expect(moved.pending).toBe(0);
    const second = await sale(30);
    expect((await advance(10 * 86_400)).pending).toBe(0);
    const ids = await Promise.all([first, second].map(async ({ id }) => (await api.look(id)).batchId ?? ''));
    const batches = await Promise.all(ids.map(look));
    expect(batches).toMatchObject([
      { status: 'Closed', amount: 500 },
      { status: 'Closed', amount: 30, openedAt: batches[0]?.closedAt },
    ]);
    for (const { closedAt = '' } of batches) {
      const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York', timeStyle: 'medium' });
      expect(shown.format(new Date(closedAt))).toBe('22:00:00');
    }
  });
});

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MemoryEventStore } from '@tillstream/event-store';
import { FaultyEventStore } from '@tillstream/event-store-testing/stores';
import { GiftCardRepository, giftCardServer, LiabilityProjection } from './index.js';

describe('The gift card service', () => {
  const store = new FaultyEventStore(new MemoryEventStore());
  const liability = new LiabilityProjection();
  const server = giftCardServer(new GiftCardRepository(store), liability);
  let origin = '';

  beforeAll(async () => {
    await liability.start(store);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await liability.stop();
    server.closeAllConnections();
    server.close();
  });

  const change = async (
    method: string,
    path: string,
    key: string,
    body: object,
  ): Promise<[number, object]> => {
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${origin}${path}`, { method, headers, body: JSON.stringify(body) });
    return [response.status, (await response.json()) as object];
  };
  const get = async (path: string): Promise<unknown> => (await fetch(`${origin}${path}`)).json();
  const issued = (id: string, amount: number) =>
    change('PUT', `/cards/${id}`, 'issue', { amount, currency: 'USD' });
  const balance = (id: string, amount: number) => ({ id, balance: { amount, currency: 'USD' } });

  it('issues, redeems, reverses and shows a card', async () => {
    expect(await issued('a', 5_000)).toEqual([200, balance('a', 5_000)]);
    expect(await change('POST', '/cards/a/redemptions', 'r1', { amount: 2_000 })).toEqual([
      200,
      balance('a', 3_000),
    ]);
    expect(await change('POST', '/cards/a/reversals', 'v1', { redemptionId: 'r1' })).toEqual([
      200,
      balance('a', 5_000),
    ]);
    expect(await get('/cards/a')).toEqual(balance('a', 5_000));
  });

  it('redeems once for one idempotency key', async () => {
    await issued('b', 1_000);
    await change('POST', '/cards/b/redemptions', 'r1', { amount: 600 });
    expect(await change('POST', '/cards/b/redemptions', 'r1', { amount: 600 })).toEqual([
      200,
      balance('b', 400),
    ]);
  });

  it('never redeems more than the balance when requests race', async () => {
    await issued('c', 1_000);
    const redeem = (key: string) => change('POST', '/cards/c/redemptions', key, { amount: 600 });
    const statuses = (await Promise.all(['1', '2', '3'].map(redeem))).map(([status]) => status).sort();
    expect(statuses).toEqual([200, 422, 422]);
  });

  it('redeems once if the answer of the store was lost', async () => {
    await issued('d', 1_000);
    store.inject({ kind: 'LoseAnswer', written: true });
    expect(await change('POST', '/cards/d/redemptions', 'r1', { amount: 600 })).toEqual([
      200,
      balance('d', 400),
    ]);
  });

  it('shows what the shop owes', async () => {
    const before = (await get('/liability')) as { USD: number };
    await issued('e', 700);
    await change('POST', '/cards/e/redemptions', 'r1', { amount: 200 });
    let total = 0;
    while (total !== before.USD + 500) total = ((await get('/liability')) as { USD: number }).USD;
    expect(total).toBe(before.USD + 500);
  });

  it.each([
    ['PUT', '/cards/f', { amount: 1, currency: 'EUR' }, 400],
    ['POST', '/cards/f/redemptions', { amount: '1' }, 400],
    ['POST', '/cards/f/redemptions', { amount: 1 }, 404],
    ['PUT', '/cards/f', { amount: 0.5, currency: 'USD' }, 422],
    ['DELETE', '/cards/f', {}, 400],
    ['PUT', '/other', {}, 404],
  ])('%s %s %j is answered with %i', async (method, path, body, status) => {
    expect((await change(method, path, 'k', body))[0]).toBe(status);
  });
});

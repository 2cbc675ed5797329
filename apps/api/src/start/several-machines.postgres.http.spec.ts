import type { ListPage, TransactionResult, WebhookDelivery, WebhookEndpoint } from '@tillstream/contracts';
import { answered, eventually } from '../testing/eventually.js';
import type { TestApi } from '../testing/test.api.js';
import { whileDatabaseIsAway } from '../testing/test.store.js';
import { TwoMachines } from '../testing/two.machines.js';
import { numberWebhooks } from '../testing/webhook.numbering.js';

describe('A service on two machines', () => {
  const machines = new TwoMachines();
  let a: TestApi;
  let b: TestApi;

  const transaction = async (api: TestApi, id: string): Promise<TransactionResult> =>
    JSON.parse((await api.get(`/v1/transactions/${id}`)).text) as TransactionResult;

  beforeAll(async () => {
    await machines.start();
    ({ a, b } = machines);
  });
  afterAll(() => machines.stop());

  it('has one demo merchant, although both start for the first time at once', () => {
    expect(a.running.facts.merchantId).toBe(b.running.facts.merchantId);
  });

  it('takes one payment for one Idempotency-Key, and replays its response on the other machine', async () => {
    const sale = { body: { amount: 1_100 }, headers: { 'idempotency-key': 'one' } };
    const first = await a.call('POST', '/v1/transactions/physical-sale', sale);
    const again = await b.call('POST', '/v1/transactions/physical-sale', { ...sale, key: a.key });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('takes one payment if both machines get the same request at once', async () => {
    const sale = {
      body: { amount: 1_200, referenceId: 'race' },
      key: a.key,
      headers: { 'idempotency-key': 'race' },
    };
    const [first, second] = await Promise.all(
      [a, b].map((api) => api.call('POST', '/v1/transactions/physical-sale', sale)),
    );
    const statuses = [first?.status, second?.status].sort();
    expect(statuses[0]).toBe(200);
    // The losing request gets 409, or arrives late enough to get the response of the winning one.
    expect([200, 409]).toContain(statuses[1]);
    const stored = await a.call('POST', '/v1/transactions/physical-sale', sale);
    expect(stored.headers.get('idempotent-replayed')).toBe('true');
    const { id } = JSON.parse(stored.text) as TransactionResult;
    const listed = async (api: TestApi): Promise<string[]> =>
      answered<ListPage<TransactionResult>>(await api.get('/v1/transactions?referenceId=race')).data.map(
        (one) => one.id,
      );
    for (const api of [a, b]) await eventually(async () => (await listed(api)).includes(id));
    expect([await listed(a), await listed(b)]).toEqual([[id], [id]]);
  });

  it('refunds on one machine what was sold on the other', async () => {
    const sale = await a.transaction('physical-sale', { amount: 1_300 });
    const refund = await b.call('POST', '/v1/transactions/refund', {
      key: a.key,
      body: { originalTransactionId: sale.id, amount: 300 },
    });
    expect(JSON.parse(refund.text)).toMatchObject({ status: 'Completed', executedAs: 'Void' });
  });

  it('charges on one machine a card that was stored on the other, until it is removed', async () => {
    const stored = await a.call('POST', '/v1/payment-methods/physical', { body: {} });
    const { paymentMethod } = JSON.parse(stored.text) as TransactionResult;
    const charge = { key: a.key, body: { amount: 1_400, paymentMethodId: paymentMethod?.id } };
    const charged = await b.call('POST', '/v1/transactions/token-sale', charge);
    expect(JSON.parse(charged.text)).toMatchObject({ status: 'Completed' });
    await a.call('DELETE', `/v1/payment-methods/token/${paymentMethod?.id}`);
    expect((await b.call('POST', '/v1/transactions/token-sale', charge)).status).toBe(404);
  });

  it('moves its clock on both machines at once', async () => {
    await a.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 3_600, settle: false } });
    const clock = await b.call('GET', '/admin/v1/sandbox/clock');
    expect(JSON.parse(clock.text)).toMatchObject({ offsetSeconds: 3_600 });
  });

  it('numbers its webhooks once, and shows and replays their deliveries on both machines', async () => {
    const stops = await Promise.all([a, b].map(({ config }) => numberWebhooks(config)));
    const body = { url: 'https://shop.example/webhooks', eventTypes: ['sale.completed'] };
    const created = await a.call('POST', '/v1/webhook-endpoints', { body });
    const path = `/v1/webhook-endpoints/${answered<WebhookEndpoint>(created).id}/deliveries`;
    const deliveries = async (api: TestApi): Promise<readonly WebhookDelivery[]> =>
      answered<ListPage<WebhookDelivery>>(await api.call('GET', path, { key: a.key })).data;
    await a.transaction('physical-sale', { amount: 1_600 });
    await b.call('POST', '/v1/transactions/physical-sale', { key: a.key, body: { amount: 1_700 } });
    await eventually(async () => (await deliveries(b)).length === 2);
    const [newest] = await deliveries(a);
    expect(await deliveries(b)).toEqual(await deliveries(a));
    const replayed = await b.call('POST', `${path}/${newest?.id}/replay`, { key: a.key });
    expect(answered<WebhookDelivery>(replayed)).toMatchObject({ id: newest?.id, status: 'Pending' });
    for (const stop of stops) await stop();
  });

  it('is not ready while the database is away, charges nothing for what it refuses, and recovers by itself', async () => {
    const sale = { body: { amount: 1_500, referenceId: 'away' }, headers: { 'idempotency-key': 'away' } };
    const sell = () => a.call('POST', '/v1/transactions/physical-sale', sale);
    const isReady = async (): Promise<boolean> => (await a.get('/health/ready')).status === 200;
    await whileDatabaseIsAway(async () => {
      const ready = await a.get('/health/ready');
      expect(ready.status).toBe(503);
      expect(ready.text).toContain('the database can not be written: postgres:');
      expect((await sell()).status).toBe(500);
    });
    await eventually(isReady);
    const sold = await sell();
    expect(JSON.parse(sold.text)).toMatchObject({ status: 'Completed', amount: 1_500 });
    expect((await sell()).text).toBe(sold.text);
    const listed = await a.get('/v1/transactions?referenceId=away');
    expect(answered<ListPage<TransactionResult>>(listed).data).toHaveLength(1);
  });

  it('resolves on the other machine the unknown outcome of a machine that stopped', async () => {
    const lost = await a.call('POST', '/v1/transactions/physical-sale', {
      body: { amount: 920_001, referenceId: 'lost' },
    });
    expect(lost.status).toBe(500);
    await a.stop();
    const [, id = ''] = /(trx_[0-9A-Z]+)/.exec(lost.text) ?? [];
    await eventually(async () => (await transaction(b, id)).status === 'Completed');
    machines.a = a = await machines.startMachine('a');
    expect(await transaction(a, id)).toMatchObject({ amount: 920_001, status: 'Completed' });
  });
});

import type { ListPage, Projection, Readiness } from '@tillstream/contracts';
import { chainEvents, newEventId } from '@tillstream/event-store';
import { openEventStoreAt } from '@tillstream/platform';
import { eventually } from '../testing/eventually.js';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

/** As during an upgrade: a newer instance has written an event that this version does not know. */
describe('An event of a newer version', () => {
  let api: TestApi;
  let poisoned: string;
  const metric = async (name: string): Promise<number> => {
    const { text } = await api.get('/metrics', { key: null });
    const line = text.split('\n').find((one) => one.startsWith(`${name}{`));
    return Number(line?.slice(line.lastIndexOf(' ')));
  };
  const projections = async (): Promise<readonly Projection[]> =>
    (JSON.parse((await api.get('/admin/v1/projections')).text) as ListPage<Projection>).data;

  beforeAll(async () => {
    api = await startTestApi();
    poisoned = (await api.transaction('physical-sale', { amount: 2_000 })).id;
    const { eventStore, eventStoreDb, dataDir } = api.config;
    const address = eventStore === 'sqlite' ? `sqlite:${dataDir}` : (eventStoreDb.url ?? '');
    const store = await openEventStoreAt(address, {});
    const stream = `payment-${poisoned.slice(4, -3)}`;
    const [last] = (await store.readStream(stream, { direction: 'backwards', limit: 1 })).events;
    const metadata = { ...last?.metadata, schemaVersion: 1 };
    const events = chainEvents(stream, last, [{ id: newEventId(), type: 'Dreamt', data: {}, metadata }]);
    await store.append({ stream, expected: last?.revision ?? 'none', events });
    await store.close();
  });
  afterAll(() => api.stop());

  it('halts the lists that read it and the resolver, and alerts; the service takes payments all the same', async () => {
    await eventually(
      async () =>
        (await metric('tillstream_resolver_halted')) === 1 &&
        (await projections()).some(({ status }) => status === 'Halted'),
    );
    const halted = (await projections()).filter(({ status }) => status === 'Halted');
    expect(halted.map(({ name }) => name)).toContain('transactions');
    for (const { reason } of halted) expect(reason).toContain('does not know Dreamt in schema version 1');
    const ready = await api.get('/health/ready', { key: null });
    expect([ready.status, (JSON.parse(ready.text) as Readiness).status]).toEqual([200, 'ready']);
    expect((await api.operation('physical-sale', { amount: 2_100 })).status).toBe(200);
  });

  it('stops decisions about its own payment only: 500, 9000, and nothing is sent', async () => {
    const refund = await api.operation('refund', { originalTransactionId: poisoned, amount: 500 });
    expect(refusal(refund)).toBe('500 9000 Rejected');
    const sale = await api.transaction('physical-sale', { amount: 2_200 });
    const other = await api.operation('refund', { originalTransactionId: sale.id, amount: 500 });
    expect(other.status).toBe(200);
  });

  it('leaves lists of other streams as they are, and a list shows what this instance writes', async () => {
    const sale = await api.transaction('physical-sale', { amount: 2_300 });
    const listed = await api.list('/v1/transactions?limit=1');
    expect(listed.data.map(({ id }) => id)).toEqual([sale.id]);
    const live = (await projections()).filter(({ status }) => status === 'Live');
    expect(live.map(({ name }) => name)).toContain('merchants');
  });
});

import { MemoryEventStore, newEventId, type Append } from '@tillstream/event-store';
import { FaultyEventStore } from '@tillstream/event-store-testing';
import type { IdempotencyRecord, IdempotencyStore } from '@tillstream/payments';
import { ConnectionProxy, PostgresServer, type MigratedDatabase } from '@tillstream/postgres-driver/testing';
import { newPaymentsDatabase } from './payments-database.fixture.js';
import { openPostgresIdempotency } from './postgres-idempotency.js';

const record = (commandId: string): IdempotencyRecord => ({
  merchantId: 'mer_1',
  key: 'k1',
  fingerprint: 'f',
  commandId,
  stream: 'payment-A',
  reservedAt: 1,
});
const append = (): Append => ({
  stream: 'payment-A',
  expected: 'none',
  events: [{ id: newEventId(), type: 'SaleRequested', data: {}, metadata: {} }],
});

describe('An idempotency key in PostgreSQL', () => {
  let server: PostgresServer;
  let place: MigratedDatabase;
  let proxy: ConnectionProxy;
  let store: FaultyEventStore;
  /** Over a network that can fail, and of another instance. */
  let far: IdempotencyStore;
  let other: IdempotencyStore;
  const eventsOf = async (): Promise<number> => (await store.readStream('payment-A')).events.length;

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    place = await newPaymentsDatabase(server);
    proxy = await ConnectionProxy.start(server.port);
    store = new FaultyEventStore(new MemoryEventStore());
    far = openPostgresIdempotency(place.open({ url: server.url(place.name, proxy.port) }), store);
    other = openPostgresIdempotency(place.open(), store);
  });
  afterEach(async () => {
    await place.close();
    await proxy.stop();
  });

  it.each(['Before', 'After'] as const)(
    'is reserved once, and its request appended once, if a connection is lost at the reservation: %s',
    async (kind) => {
      await far.find('mer_1', 'k1');
      proxy.inject({ at: 'insert into "idempotency_keys"', kind });
      expect(await far.reserve(record('c1'), append())).toMatchObject({ kind: 'Reserved' });
      expect(await other.reserve(record('c2'), append())).toEqual({ kind: 'Taken' });
      expect(await eventsOf()).toBe(1);
    },
  );

  it('is durable before the request is appended, also after a power cut of the database', async () => {
    let seen: string | undefined;
    const cutPower = async (): Promise<void> => {
      await server.kill();
      await server.restart();
      seen = (await other.find('mer_1', 'k1'))?.commandId;
    };
    store.inject({ kind: 'Delay', ms: 1 }, { before: cutPower });
    await far.reserve(record('c1'), append());
    expect(seen).toBe('c1');
  });

  it('keeps a response that it acknowledged, and not another one after a lost answer', async () => {
    await far.reserve(record('c1'), append());
    proxy.inject({ at: 'update "idempotency_keys"', kind: 'After' });
    await far.storeResponse('mer_1', 'k1', 'c1', Uint8Array.of(1));
    await other.storeResponse('mer_1', 'k1', 'c1', Uint8Array.of(2));
    expect([...((await other.find('mer_1', 'k1'))?.response ?? [])]).toEqual([1]);
  });

  it('stays if the result of the append is unknown', async () => {
    store.inject({ kind: 'LoseAnswer', written: true });
    await expect(far.reserve(record('c1'), append())).rejects.toMatchObject({ code: 'Unknown' });
    expect((await other.find('mer_1', 'k1'))?.commandId).toBe('c1');
  });

  it('lets nothing be appended while the database is away, and says that nothing was written', async () => {
    await proxy.stop();
    const failed = expect.objectContaining({ name: 'EventStoreError', code: 'Unavailable' }) as unknown;
    await expect(far.reserve(record('c1'), append())).rejects.toEqual(failed);
    expect(await eventsOf()).toBe(0);
    expect(await other.find('mer_1', 'k1')).toBeUndefined();
    proxy = await ConnectionProxy.start(server.port);
  });

  it('replaces an expired record once if two requests do it at the same time', async () => {
    await far.reserveAlone(record('old'));
    const both = [far, other].map((keys, index) => keys.reserveAlone(record(`new${index}`), 'old'));
    const kinds = await Promise.all(both);
    expect(kinds.filter(Boolean)).toHaveLength(1);
    expect((await far.find('mer_1', 'k1'))?.commandId).toBe(`new${kinds.indexOf(true)}`);
  });
});

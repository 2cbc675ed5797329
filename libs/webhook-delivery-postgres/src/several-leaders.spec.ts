import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup } from '@tillstream/event-consumers';
import { MemoryLeases, RecordedLog } from '@tillstream/event-consumers/testing';
import { historyWitness, type EventStore } from '@tillstream/event-store';
import { openEventStoreDb } from '@tillstream/event-store-eventstoredb';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { ConnectionProxy, PostgresServer } from '@tillstream/postgres-driver/testing';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import {
  appendEndpoints,
  appendSale,
  claimAll,
  definitely,
  NOW,
  numberAll,
  numberingOf,
  salesHistory,
  second,
} from '@tillstream/webhook-delivery/testing';
import { DeliveriesDatabase } from './deliveries-database.fixture.js';

const SALES = 120;
const PAGE = 7;

describe('Several processes that number', () => {
  let server: PostgresServer;
  let database: DeliveriesDatabase;
  const others: DeliveriesDatabase[] = [];

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    database = await DeliveriesDatabase.create(server);
  });
  afterEach(async () => {
    for (const one of [database, ...others.splice(0)]) await one.close();
  });

  /** What one pass over the history gives, in a database of its own. */
  const onePass = async (store: EventStore): Promise<DeliveryStore> => {
    const other = await DeliveriesDatabase.create(server);
    others.push(other);
    const tables = await other.open();
    const consumer = numberingOf(store, tables);
    await numberAll(store, () => consumer);
    return tables;
  };
  const everything = async (tables: DeliveryStore, endpointIds: readonly string[]) => ({
    claimed: await claimAll(tables, endpointIds, NOW * 2),
    numbers: await tables.numbersOf(['mer_A']),
    checkpoint: await tables.checkpoint(),
  });

  it('fence each other, and give what one pass gives', async () => {
    const { store, endpointIds } = await salesHistory(SALES);
    const lead = async (): Promise<number> => {
      const consumer = numberingOf(store, await database.open());
      let moved = 0;
      for (;;) {
        const from = (await consumer.checkpoint())?.position;
        const after = from === undefined ? {} : { after: from };
        const { events } = await store.readAll({ categories: consumer.categories, limit: PAGE, ...after });
        const [first, ...rest] = events;
        if (!first) return moved;
        const last = rest.at(-1) ?? first;
        const place = { from, to: last.position, witness: historyWitness(last) };
        const { kind } = await consumer.handle({ items: [first, ...rest], ...place });
        if (kind === 'Moved') moved += 1;
      }
    };
    const moved = await Promise.all([lead(), lead(), lead()]);
    expect(moved.reduce((sum, one) => sum + one, 0)).toBe(Math.ceil((2 + 4 * SALES) / PAGE));
    const tables = await database.open();
    expect(await everything(tables, endpointIds)).toEqual(
      await everything(await onePass(store), endpointIds),
    );
  });

  it('a page whose commit was not answered is neither numbered again nor lost', async () => {
    const { store, endpointIds } = await salesHistory(10);
    for (const kind of ['Before', 'After'] as const) {
      const proxy = await ConnectionProxy.start(server.port);
      const far = await database.openAt(proxy.port);
      await far.reset();
      const consumer = numberingOf(store, far);
      proxy.inject({ at: 'commit', kind });
      await expect(numberAll(store, () => consumer)).rejects.toMatchObject({ code: 'Unknown' });
      await numberAll(store, () => consumer);
      expect(await everything(far, endpointIds)).toEqual(await everything(await onePass(store), endpointIds));
      await proxy.stop();
    }
  });

  it('of another event store are fenced for good once the deliveries follow from this one', async () => {
    const { store } = await salesHistory(3);
    const old = await database.open({}, 'the old store');
    const consumer = numberingOf(store, old);
    await numberAll(store, () => consumer);
    const other = await database.open({}, 'another store');
    expect(await other.checkpoint()).toBeUndefined();
    expect(await old.checkpoint()).toBeUndefined();
    await expect(numberAll(store, () => consumer)).rejects.toThrow('the page was Fenced');
    await old.reset();
    await numberAll(store, () => numberingOf(store, other));
    expect(await other.numbersOf(['mer_A'])).toMatchObject([{ sequence: 3 }]);
  });
});

describe('Two processes that number the events of EventStoreDB', () => {
  let server: PostgresServer;
  let double: EventStoreDbDouble;
  let store: ReturnType<typeof openEventStoreDb>;
  let database: DeliveriesDatabase;
  let proxy: ConnectionProxy;
  const groups: ConsumerGroup[] = [];

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    database = await DeliveriesDatabase.create(server);
    double = await startEventStoreDbDouble();
    store = openEventStoreDb({ url: double.url });
    proxy = await ConnectionProxy.start(server.port);
  });
  afterEach(async () => {
    for (const group of groups.splice(0)) await group.stop();
    await database.close();
    await proxy.stop();
    await store.close();
    await double.close();
  });

  it('while they are appended, and connections of both servers are cut, give what one pass gives', async () => {
    const endpointIds = await appendEndpoints(store);
    const near = await database.open();
    // Each believes that it leads: what keeps their pages apart is the checkpoint.
    for (const tables of [near, await database.openAt(proxy.port)]) {
      const consumers = [numberingOf(store, tables)];
      const parts = { store, leases: new MemoryLeases(), lease: 'webhooks', log: new RecordedLog() };
      const group = new ConsumerGroup({ ...parts, consumers });
      groups.push(group);
      await group.start();
    }
    for (let number = 1; number <= SALES; number++) {
      await definitely(() => appendSale(store, number, 'mer_A', second(number)));
      if (number % 20 === 10) proxy.loseConnections();
      if (number % 40 === 20) double.dropConnections();
    }
    const sequence = async () => (await near.numbersOf(['mer_A']))[0]?.sequence;
    for (let look = 0; look < 500 && (await sequence()) !== SALES; look++) await sleep(20);
    const other = await DeliveriesDatabase.create(server);
    const again = await other.open();
    await numberAll(store, () => numberingOf(store, again));
    const claimed = await claimAll(near, endpointIds, NOW * 2);
    expect(claimed.map(({ deliveries }) => deliveries.length)).toEqual([SALES, SALES]);
    expect(await claimAll(again, endpointIds, NOW * 2)).toEqual(claimed);
    expect(await again.numbersOf(['mer_A'])).toEqual(await near.numbersOf(['mer_A']));
    await other.close();
  }, 120_000);
});

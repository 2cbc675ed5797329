import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConsumerGroup } from '@tillstream/event-consumers';
import { MemoryLeases, RecordedLog } from '@tillstream/event-consumers/testing';
import type { EventStore } from '@tillstream/event-store';
import { openEventStoreDb } from '@tillstream/event-store-eventstoredb';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { startEventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import {
  appendEndpoints,
  appendSale,
  claimAll,
  definitely,
  EndpointHistories,
  LIFECYCLE_MERCHANT,
  LifecycleHistories,
  NOW,
  numberingOf,
  second,
} from '@tillstream/webhook-delivery/testing';
import { openSqliteDeliveryStore } from './sqlite-delivery-store.js';

const SALES = 120;

interface Place {
  readonly store: EventStore;
  /** Cuts what can be cut. */
  cut(): void;
  close(): Promise<void>;
}

async function sqlite(folder: string): Promise<Place> {
  const store = await openSqliteEventStore({ file: join(folder, 'events.db') });
  return { store, cut: () => undefined, close: () => store.close() };
}

async function eventStoreDb(): Promise<Place> {
  const double = await startEventStoreDbDouble();
  const store = openEventStoreDb({ url: double.url });
  const close = async (): Promise<void> => {
    await store.close();
    await double.close();
  };
  return { store, cut: () => double.dropConnections(), close };
}

describe.each<[string, (folder: string) => Promise<Place>]>([
  ['SQLite', sqlite],
  ['EventStoreDB (gRPC double)', eventStoreDb],
])('numbering the events of %s', (_name, openPlace) => {
  let folder: string;
  let place: Place;
  const groups: ConsumerGroup[] = [];
  const opened: DeliveryStore[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-deliveries-'));
    place = await openPlace(folder);
  });
  afterEach(async () => {
    for (const group of groups.splice(0)) await group.stop();
    for (const tables of opened.splice(0)) await tables.close();
    await place.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (name: string): DeliveryStore => {
    const directory = join(folder, name);
    const tables = openSqliteDeliveryStore({ directory, source: 'test', onDamage: () => undefined });
    opened.push(tables);
    return tables;
  };
  const groupOf = (tables: DeliveryStore): ConsumerGroup => {
    const { store } = place;
    const leases = new MemoryLeases();
    const consumers = [numberingOf(store, tables)];
    const group = new ConsumerGroup({ store, leases, lease: 'webhooks', log: new RecordedLog(), consumers });
    groups.push(group);
    return group;
  };

  it('numbers the life cycle of a merchant as it is appended, and the same again', async () => {
    const endpoints = new EndpointHistories(place.store);
    const endpointId = await endpoints.create(LIFECYCLE_MERCHANT, second(0));
    const live = open('live');
    await groupOf(live).start();
    const life = new LifecycleHistories(place.store);
    const applicationId = 'app_01JQ0000000000000000000000';
    await life.take(LIFECYCLE_MERCHANT, second(1), { step: 'start', applicationId });
    await life.submit(second(2));
    await life.decide(1, 'Approve', second(3));
    await life.take(LIFECYCLE_MERCHANT, second(4), { step: 'submit' });
    const sequence = async () => (await live.numbersOf([LIFECYCLE_MERCHANT]))[0]?.sequence;
    for (let look = 0; look < 500 && (await sequence()) !== 3; look++) await pause(20);
    const again = open('again');
    await groupOf(again).catchUp();
    const claimed = await claimAll(live, [endpointId], NOW * 2);
    expect(claimed[0]?.deliveries.map(({ type }) => type)).toEqual([
      'merchant.application.started',
      'pricing_template.approved',
      'merchant.application.submitted',
    ]);
    expect(await claimAll(again, [endpointId], NOW * 2)).toEqual(claimed);
  }, 60_000);

  it('while they are appended and the connection is cut, gives what one pass over the history gives', async () => {
    const endpointIds = await appendEndpoints(place.store);
    const live = open('live');
    await groupOf(live).start();
    for (let number = 1; number <= SALES; number++) {
      await definitely(() => appendSale(place.store, number, 'mer_A', second(number)));
      if (number % 40 === 20) place.cut();
    }
    const isComplete = async (): Promise<boolean> => (await live.numbersOf(['mer_A']))[0]?.sequence === SALES;
    for (let look = 0; look < 500 && !(await isComplete()); look++) await pause(20);
    const again = open('again');
    await groupOf(again).catchUp();
    const claimed = await claimAll(live, endpointIds, NOW * 2);
    expect(claimed.map(({ deliveries }) => deliveries.length)).toEqual([SALES, SALES]);
    expect(await claimAll(again, endpointIds, NOW * 2)).toEqual(claimed);
    expect(await again.numbersOf(['mer_A'])).toEqual(await live.numbersOf(['mer_A']));
  }, 60_000);
});

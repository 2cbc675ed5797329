import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { UnknownEvent } from '@tillstream/domain';
import { ConsumerGroup } from '@tillstream/event-consumers';
import { MemoryLeases, RecordedLog } from '@tillstream/event-consumers/testing';
import { MemoryEventStore, newEventId, type EventStore, type Position } from '@tillstream/event-store';
import { RandomHistories, seededChoice } from '@tillstream/read-models/testing';
import type { NumberingConsumer } from '../numbering/numbering.consumer.js';
import { BODY_LIFETIME_MS, type DeliveryStore } from '../delivery.store.port.js';
import type { DeliveriesUnderTest, OpenDeliveries } from './deliveries.under-test.js';
import { EndpointHistories } from './endpoint.histories.testing.js';
import { LIFECYCLE_MERCHANT, LifecycleHistories } from './lifecycle.histories.testing.js';
import { allDeliveries, claimAll, NOW, numberAll, numberingOf } from './numbered.tables.testing.js';
import { appendSale } from './sales.testing.js';

const MERCHANT = 'mer_A';
/** After all events of a random history. */
const LATER = Date.UTC(2500, 0, 1);
const minute = (number: number): string => new Date(Date.UTC(2026, 2, 1, 0, number)).toISOString();

export function numberingContract(open: OpenDeliveries): void {
  describe('numbering', () => {
    let place: DeliveriesUnderTest;
    let store: MemoryEventStore;
    let tables: DeliveryStore;
    let endpoints: EndpointHistories;

    beforeEach(async () => {
      place = await open();
      store = new MemoryEventStore();
      tables = await place.open();
      endpoints = new EndpointHistories(store);
    });
    afterEach(() => place.remove());

    const number = (now?: () => number): Promise<void> => {
      const consumer = numberingOf(store, tables, now);
      return numberAll(store, () => consumer);
    };

    it('any pages, any restarts and any loss of the tables give the same ids, numbers and bytes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const history = new MemoryEventStore();
          const created = await randomHistory(history, seed);
          const once = await tablesOf(await place.another(), history, () => 1_000);
          const choose = seededChoice(seed + 1);
          const lost = await place.another();
          await tablesOf(lost, history, () => 1 + choose(60));
          await lost.lose();
          const cut = await tablesOf(lost, history, () => 1 + choose(7), choose);
          expect(await snapshot(cut, created)).toEqual(await snapshot(once, created));
        }),
        { numRuns: place.runs },
      );
    });

    it('the sequences of a merchant and of its endpoint have no gap and no repeat', async () => {
      const history = new MemoryEventStore();
      const [all] = await randomHistory(history, 987_654_321, 150);
      const once = await tablesOf(await place.another(), history, () => 1_000);
      const [batch] = await claimAll(once, [all?.id ?? ''], LATER);
      const deliveries = batch?.deliveries ?? [];
      const bodies = deliveries.map(({ body }) => JSON.parse(body) as { event: { sequence: number } });
      const [numbers] = await once.numbersOf([MERCHANT]);
      const counted = Array.from({ length: numbers?.sequence ?? 0 }, (_, index) => index + 1);
      expect(counted.length).toBeGreaterThan(20);
      expect(bodies.map(({ event }) => event.sequence)).toEqual(counted);
      expect(deliveries.map(({ hookSequence }) => hookSequence)).toEqual(counted);
      expect(new Set(deliveries.map(({ type }) => type)).size).toBeGreaterThan(4);
    });

    it('an endpoint gets events from its creation on, and both methods get the same bytes', async () => {
      await appendSale(store, 1, MERCHANT, minute(1));
      const managed = await endpoints.create(MERCHANT, minute(2));
      const legacy = await endpoints.create(MERCHANT, minute(2), { method: 'Legacy' });
      await endpoints.create('mer_B', minute(2));
      const sale = await appendSale(store, 2, MERCHANT, minute(3));
      await number();
      const claimed = await claimAll(tables, [managed, legacy]);
      const [ofManaged, ofLegacy] = claimed.map(({ deliveries }) => deliveries);
      expect(ofManaged).toHaveLength(1);
      expect(ofManaged?.[0]).toMatchObject({ type: 'sale.completed', hookSequence: 1, attempts: 0 });
      expect(ofLegacy?.[0]?.body).toBe(ofManaged?.[0]?.body);
      expect(ofLegacy?.[0]?.hookId).not.toBe(ofManaged?.[0]?.hookId);
      expect(JSON.parse(ofManaged?.[0]?.body ?? '')).toMatchObject({
        event: { type: 'sale.completed', merchantId: MERCHANT, sequence: 2, timestamp: minute(3) },
        originalResponse: { id: sale, status: 'Completed' },
      });
    });

    it('a disabled endpoint is sent nothing; enabled again it gets new events, and the missed ones stay listed', async () => {
      const id = await endpoints.create(MERCHANT, minute(1));
      await appendSale(store, 1, MERCHANT, minute(2));
      await number();
      await endpoints.setStatus(MERCHANT, minute(3), id, 'Disabled');
      await appendSale(store, 2, MERCHANT, minute(4));
      await number();
      expect(await tables.dueEndpoints({ service: NOW, real: 0 }, 10, new Set())).toEqual([]);
      expect(await claimAll(tables, [id])).toEqual([]);
      await endpoints.setStatus(MERCHANT, minute(5), id, 'Enabled');
      await appendSale(store, 3, MERCHANT, minute(6));
      await number();
      const [batch] = await claimAll(tables, [id]);
      expect(batch?.deliveries.map(({ hookSequence }) => hookSequence)).toEqual([3]);
      const listed = await allDeliveries(tables, id);
      expect(listed.map(({ status }) => status)).toEqual(['Exhausted', 'Exhausted', 'Pending']);
    });

    it('a deleted endpoint gets nothing, and its deliveries are gone', async () => {
      const id = await endpoints.create(MERCHANT, minute(1));
      await appendSale(store, 1, MERCHANT, minute(2));
      await number();
      await endpoints.remove(MERCHANT, minute(3), id);
      await appendSale(store, 2, MERCHANT, minute(4));
      await number();
      expect(await claimAll(tables, [id])).toEqual([]);
      expect(await tables.list({ endpointId: id }, undefined, 10)).toEqual([]);
      while ((await tables.purge(0)) > 0);
      expect(await tables.nextDueAt()).toBeUndefined();
    });

    it('only subscribed types are delivered, and payment.returned by name only; all of them are counted', async () => {
      const refunds = await endpoints.create(MERCHANT, minute(1), { eventTypes: ['refund.completed'] });
      const sales = await endpoints.create(MERCHANT, minute(1), { eventTypes: ['sale.completed'] });
      await appendSale(store, 1, MERCHANT, minute(2));
      await endpoints.setTypes(MERCHANT, minute(3), sales, ['token.created']);
      await appendSale(store, 2, MERCHANT, minute(4));
      await number();
      expect(await allDeliveries(tables, refunds)).toEqual([]);
      expect(await allDeliveries(tables, sales)).toHaveLength(1);
      expect(await tables.numbersOf([MERCHANT])).toMatchObject([{ sequence: 2 }]);
    });

    it('the claimed endpoint has the secrets of its last rotation', async () => {
      const id = await endpoints.create(MERCHANT, minute(1));
      await appendSale(store, 1, MERCHANT, minute(2));
      await endpoints.rotate(MERCHANT, minute(3), id, 'bmV3');
      await number();
      const [batch] = await claimAll(tables, [id]);
      expect(batch?.endpoint).toMatchObject({ secret: 'bmV3', oldSecret: { until: expect.any(String) } });
    });

    it('an event older than 30 days is listed without a body and is not sent', async () => {
      const id = await endpoints.create(MERCHANT, minute(1));
      await appendSale(store, 1, MERCHANT, minute(2));
      await number(() => Date.parse(minute(2)) + BODY_LIFETIME_MS);
      expect(await allDeliveries(tables, id)).toMatchObject([{ status: 'Exhausted', tries: [] }]);
      expect(await claimAll(tables, [id])).toEqual([]);
    });

    it('a page after another checkpoint is fenced and writes nothing, in a second process too', async () => {
      const id = await endpoints.create(MERCHANT, minute(1));
      await appendSale(store, 1, MERCHANT, minute(2));
      await number();
      const second = await place.open();
      const before = [await tables.checkpoint(), await tables.numbersOf([MERCHANT])];
      await appendSale(store, 2, MERCHANT, minute(3));
      const { events } = await store.readAll();
      const [first, ...rest] = events as [(typeof events)[0], ...typeof events];
      const last = rest.at(-1) ?? first;
      const page = { items: [first, ...rest] as const, from: undefined, to: last.position, witness: last };
      expect(await numberingOf(store, second).handle(page)).toEqual({ kind: 'Fenced' });
      expect([await second.checkpoint(), await second.numbersOf([MERCHANT])]).toEqual(before);
      expect(await allDeliveries(second, id)).toHaveLength(1);
    });

    it('an error in the middle of a page leaves neither deliveries nor checkpoint', async () => {
      await endpoints.create(MERCHANT, minute(1));
      await appendSale(store, 1, MERCHANT, minute(2));
      const before = await tables.checkpoint();
      const consumer = numberingOf(store, {
        ...bound(tables),
        // The second event repeats the first one's id.
        record: (page) => tables.record({ ...page, events: [...page.events, ...page.events] }),
      });
      // A driver's error is no `Error` of every test file's realm.
      await expect(numberAll(store, () => consumer)).rejects.toBeDefined();
      expect(await tables.checkpoint()).toEqual(before);
      expect(await tables.numbersOf([MERCHANT])).toEqual([
        { merchantId: MERCHANT, sequence: 0, endpoints: [] },
      ]);
    });

    it('an event of an unknown type halts after all events before it', async () => {
      const id = await endpoints.create(MERCHANT, minute(1));
      await appendSale(store, 1, MERCHANT, minute(2));
      await store.append({
        stream: 'payment-unknown',
        expected: 'none',
        events: [{ id: newEventId(), type: 'PaidByBarter', data: {}, metadata: { schemaVersion: 1 } }],
      });
      await appendSale(store, 2, MERCHANT, minute(3));
      const consumers = [numberingOf(store, tables)];
      const group = new ConsumerGroup({
        store,
        leases: new MemoryLeases(),
        lease: 'webhooks',
        log: new RecordedLog(),
        consumers,
      });
      await expect(group.catchUp()).rejects.toThrow(UnknownEvent);
      expect(await allDeliveries(tables, id)).toHaveLength(1);
      await group.stop();
    });
  });
}

/**
 * Payments and tokens of two merchants, applications of three, pricing templates of the third, and endpoints that come, go
 * and change meanwhile.
 */
export async function randomHistory(
  store: EventStore,
  seed: number,
  runs = 20,
): Promise<readonly { readonly merchantId: string; readonly id: string }[]> {
  const choose = seededChoice(seed);
  const categories = ['payment', 'payment', 'token', 'batch'] as const;
  const payments = new RandomHistories(store, choose, { categories, streams: 60 });
  const endpoints = new EndpointHistories(store);
  const life = new LifecycleHistories(store);
  const all = [MERCHANT, 'mer_B', LIFECYCLE_MERCHANT];
  // It gets every event of its merchant.
  await endpoints.create(MERCHANT, minute(0), { eventTypes: ['*', 'payment.returned'] });
  for (let step = 0; step < 60; step++) {
    const merchantId = all[choose(all.length)] as string;
    const at = minute(step);
    const id = endpoints.created[1 + choose(endpoints.created.length)]?.id;
    if (id === undefined) {
      const eventTypes = choose(2) === 0 ? ['*'] : ['sale.completed', 'payment.returned', 'token.created'];
      await endpoints.create(merchantId, at, {
        eventTypes,
        method: choose(3) === 0 ? 'Legacy' : 'Managed',
        status: choose(5) === 0 ? 'Disabled' : 'Enabled',
      });
    } else if (choose(6) === 0) {
      await endpoints.remove(merchantId, at, id);
    } else {
      await endpoints.setStatus(merchantId, at, id, choose(2) === 0 ? 'Disabled' : 'Enabled');
    }
    await life.takeAny(all[choose(all.length)] as string, at, choose);
    if (choose(2) === 0) await life.submit(at);
    await life.decide(1 + choose(20), choose(2) === 0 ? 'Approve' : 'Reject', at, `step ${step}`);
    await payments.run(runs);
  }
  return endpoints.created;
}

async function tablesOf(
  place: DeliveriesUnderTest,
  store: EventStore,
  nextSize: () => number,
  choose: (below: number) => number = () => 1,
): Promise<DeliveryStore> {
  const tables = await place.open();
  // Leaders that take turns keep what they had in memory; a process that starts again has nothing.
  const leaders = [0, 1, 2].map(() => numberingOf(store, tables));
  const consumerOf = () =>
    choose(5) === 0 ? numberingOf(store, tables) : (leaders[choose(3)] as NumberingConsumer);
  await numberAll(store, consumerOf, nextSize);
  return tables;
}

/** Everything that history determines. */
async function snapshot(tables: DeliveryStore, endpoints: readonly { readonly id: string }[]) {
  while ((await tables.purge(0)) > 0);
  const listed = [];
  for (const { id } of endpoints) listed.push(await allDeliveries(tables, id));
  return {
    listed: listed.map((deliveries) => deliveries.map(({ number: _number, ...delivery }) => delivery)),
    claimed: await claimAll(
      tables,
      endpoints.map(({ id }) => id),
      LATER,
    ),
    numbers: await tables.numbersOf([MERCHANT, 'mer_B', LIFECYCLE_MERCHANT]),
    checkpoint: (await tables.checkpoint()) as { position: Position } | undefined,
  };
}

function bound(tables: DeliveryStore) {
  return {
    checkpoint: () => tables.checkpoint(),
    numbersOf: (ids: readonly string[]) => tables.numbersOf(ids),
    reset: () => tables.reset(),
  };
}

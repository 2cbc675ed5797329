import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '@tillstream/event-store';
import { BODY_LIFETIME_MS, type DeliveryStore, type ReplayRange } from '../delivery.store.port.js';
import type { DeliveryCursor, DeliveryFilter, StoredDelivery } from '../delivery.types.js';
import type { DeliveriesUnderTest, OpenDeliveries } from './deliveries.under-test.js';
import { EndpointHistories } from './endpoint.histories.testing.js';
import {
  allDeliveries,
  claim,
  claimAll,
  finish,
  NOW,
  numberAll,
  numberingOf,
} from './numbered.tables.testing.js';
import { appendSale } from './sales.testing.js';
import { failed, succeeded } from './sending.contract.js';

const MERCHANT = 'mer_A';
const SALES = 12;
const minuteMs = (number: number): number => Date.UTC(2026, 2, 1, 0, number);
const minute = (number: number): string => new Date(minuteMs(number)).toISOString();

export function recordsContract(open: OpenDeliveries): void {
  describe('records', () => {
    let place: DeliveriesUnderTest;
    let tables: DeliveryStore;
    let endpoints: EndpointHistories;
    let id: string;
    let other: string;
    let all: StoredDelivery[];
    let number: () => Promise<void>;

    /** Of 12: the first 4 succeed, 4 fail, 2 are exhausted, 2 wait. */
    beforeEach(async () => {
      place = await open();
      const store = new MemoryEventStore();
      tables = await place.open();
      endpoints = new EndpointHistories(store);
      id = await endpoints.create(MERCHANT, minute(0));
      other = await endpoints.create(MERCHANT, minute(0));
      for (let sale = 1; sale <= SALES; sale++) await appendSale(store, sale, MERCHANT, minute(sale));
      const consumer = numberingOf(store, tables);
      number = () => numberAll(store, () => consumer);
      await number();
      all = await allDeliveries(tables, id);
      await finishSome();
      all = await allDeliveries(tables, id);
    });
    afterEach(() => place.remove());

    async function finishSome(): Promise<void> {
      const claimRequest = { endpointIds: [id], perEndpointMax: 10, limit: 10, leaseMs: 1_000 };
      await claim(tables, { ...claimRequest, token: 'one', now: { service: NOW, real: 0 } });
      const ids = all.map(({ deliveryId }) => deliveryId);
      await finish(tables, 'one', [
        ...ids.slice(0, 4).map(succeeded),
        ...ids.slice(4, 8).map((name) => failed(name, NOW + 60_000)),
        ...ids.slice(8, 10).map((name) => ({ ...failed(name, 0), outcome: { kind: 'Exhausted' as const } })),
      ]);
    }

    const listed = async (filter: Omit<DeliveryFilter, 'endpointId'>): Promise<number[]> => {
      const names = all.map(({ deliveryId }) => deliveryId);
      const page = await tables.list({ endpointId: id, ...filter }, undefined, 100);
      return page.map(({ deliveryId }) => names.indexOf(deliveryId) + 1);
    };

    it('lists newest first, page by page, without a gap or repeat', async () => {
      const pages: StoredDelivery[] = [];
      for (let page = 0; page < 4; page++)
        pages.push(...(await tables.list({ endpointId: id }, pages.at(-1), 5)));
      expect(pages).toEqual(all.toReversed());
      expect(new Set(pages.map(({ hookId }) => hookId)).size).toBe(SALES);
    });

    it('filters by status, type, event and time, and by all together', async () => {
      expect(await listed({ status: ['Succeeded'] })).toEqual([4, 3, 2, 1]);
      expect(await listed({ status: ['Failed'] })).toEqual([8, 7, 6, 5]);
      expect(await listed({ status: ['Exhausted'] })).toEqual([10, 9]);
      expect(await listed({ status: ['Pending'] })).toEqual([12, 11]);
      expect(await listed({ eventType: ['sale.completed'] })).toHaveLength(SALES);
      expect(await listed({ eventType: ['void.completed'] })).toEqual([]);
      expect(await listed({ eventId: [all[2]?.eventId ?? ''] })).toEqual([3]);
      expect(await listed({ createdFrom: minuteMs(3), createdTo: minuteMs(5) })).toEqual([5, 4, 3]);
      const eventId = all[2]?.eventId ?? '';
      const createdFrom = minuteMs(3);
      expect(
        await listed({
          status: ['Succeeded'],
          eventType: ['sale.completed'],
          eventId: [eventId],
          createdFrom,
        }),
      ).toEqual([3]);
    });

    it('a filter with several values means any of them, in one order and without a repeat', async () => {
      expect(await listed({ status: ['Exhausted', 'Succeeded'] })).toEqual([10, 9, 4, 3, 2, 1]);
      const types = ['void.completed', 'sale.completed'];
      expect(await listed({ eventType: types, status: ['Pending', 'Failed'] })).toEqual([12, 11, 8, 7, 6, 5]);
      const eventId = [1, 4, 11].map((index) => all[index]?.eventId ?? '');
      expect(await listed({ eventId })).toEqual([12, 5, 2]);
      expect(await listed({ eventId, status: ['Pending', 'Failed'] })).toEqual([12, 5]);
    });

    it('lists oldest first too, page by page, and counts up to a limit', async () => {
      const filter = { endpointId: id, status: ['Succeeded', 'Failed', 'Pending'] } as const;
      const pages: StoredDelivery[] = [];
      for (let page = 0; page < 3; page++)
        pages.push(...(await tables.list(filter, pages.at(-1), 4, 'OldestFirst')));
      expect(pages).toEqual(all.filter(({ status }) => status !== 'Exhausted'));
      expect(await tables.count(filter, 100)).toBe(10);
      expect(await tables.count(filter, 7)).toBe(7);
      expect(await tables.count({ endpointId: id }, 100)).toBe(SALES);
      expect(await tables.count({ endpointId: 'whe_none' }, 100)).toBe(0);
    });

    it('a body is too old for a replay after 30 days, also before it is deleted', async () => {
      const later = minuteMs(5) + BODY_LIFETIME_MS + 1;
      expect(await tables.replay(id, all[4]?.deliveryId ?? '', later)).toEqual({ kind: 'BodyDeleted' });
      expect(await tables.replay(id, all[5]?.deliveryId ?? '', later)).toMatchObject({ kind: 'Replayed' });
      const range = { endpointId: id, from: 0, to: minuteMs(8) };
      expect(await tables.replayStep({ range, now: later, after: undefined, limit: 100 })).toMatchObject({
        count: 3,
      });
    });

    it('a delivery belongs to its endpoint only', async () => {
      const name = all[0]?.deliveryId ?? '';
      expect(await tables.find(id, name)).toEqual(all[0]);
      expect(await tables.find(other, name)).toBeUndefined();
      expect(await tables.replay(other, name, NOW)).toEqual({ kind: 'NotFound' });
      expect(await tables.find(id, 'dlv_none')).toBeUndefined();
    });

    it('a replay is one more attempt with the same ids and bytes, and does not count in the schedule', async () => {
      const [succeededOne, , , , failedOne] = all as [StoredDelivery, ...StoredDelivery[]];
      const [ofOther] = await claimAll(tables, [other]);
      for (const { deliveryId } of [succeededOne, failedOne ?? succeededOne]) {
        const replayed = await tables.replay(id, deliveryId, NOW);
        expect(replayed).toMatchObject({ kind: 'Replayed', delivery: { status: 'Pending', nextTryAt: NOW } });
      }
      const claimed = (await claimAll(tables, [id])).flatMap(({ deliveries }) => deliveries);
      const again = claimed.find(({ deliveryId }) => deliveryId === succeededOne.deliveryId);
      expect(again).toMatchObject({ hookSequence: 1, replayOf: 'Succeeded', attempts: 1 });
      expect(again?.body).toBe(ofOther?.deliveries[0]?.body);
      const scheduled = claimed.find(({ deliveryId }) => deliveryId === failedOne?.deliveryId);
      expect(scheduled).toMatchObject({ attempts: 1 });
      expect(scheduled).not.toHaveProperty('replayOf');
    });

    const replayAll = async (range: ReplayRange, limit: number): Promise<number> => {
      let after: DeliveryCursor | undefined;
      let total = 0;
      do {
        const step = await tables.replayStep({ range, now: NOW, after, limit });
        total += step.count;
        after = step.next;
      } while (after);
      return total;
    };
    const pending = () => listed({ status: ['Pending'] });

    it('failedSince replays what is not delivered, in steps', async () => {
      expect(await replayAll({ endpointId: id, failedSince: minuteMs(6) }, 2)).toBe(5);
      expect(await pending()).toEqual([12, 11, 10, 9, 8, 7, 6]);
    });

    it('from and to replay delivered ones too', async () => {
      expect(await replayAll({ endpointId: id, from: minuteMs(2), to: minuteMs(5) }, 3)).toBe(4);
      expect(await pending()).toEqual([12, 11, 5, 4, 3, 2]);
    });

    it('failedSince brings what an endpoint missed while it was disabled, and a disabled one gets nothing', async () => {
      await endpoints.setStatus(MERCHANT, minute(20), id, 'Disabled');
      await number();
      expect(await replayAll({ endpointId: id, failedSince: 0 }, 100)).toBe(0);
      expect(await tables.replay(id, all[0]?.deliveryId ?? '', NOW)).toEqual({ kind: 'EndpointDisabled' });
      await endpoints.setStatus(MERCHANT, minute(21), id, 'Enabled');
      await number();
      expect(await replayAll({ endpointId: id, failedSince: 0 }, 100)).toBe(8);
      const [batch] = await claimAll(tables, [id]);
      expect(batch?.deliveries.map(({ hookSequence }) => hookSequence)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    });

    it('a test event is due at once, has no hook-sequence, and is in no range', async () => {
      const test = {
        deliveryId: 'dlv_test',
        hookId: 'msg_test',
        endpointId: id,
        eventId: 'evt_test',
        type: 'sale.completed',
        at: minuteMs(1),
        body: Buffer.from('evt_test:{}'),
      };
      expect(await tables.addTest({ ...test, endpointId: 'whe_none' })).toBe(false);
      expect(await tables.addTest(test)).toBe(true);
      const claimed = (await claimAll(tables, [id])).flatMap(({ deliveries }) => deliveries);
      const sent = claimed.find(({ deliveryId }) => deliveryId === 'dlv_test');
      expect(sent).toEqual({
        deliveryId: 'dlv_test',
        eventId: 'evt_test',
        hookId: 'msg_test',
        type: 'sale.completed',
        attempts: 0,
        body: '{}',
      });
      expect(await replayAll({ endpointId: id, from: minuteMs(1), to: minuteMs(1) }, 10)).toBe(1);
    });
  });
}

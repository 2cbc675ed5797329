import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '@tillstream/event-store';
import type { ClaimRequest, DeliveryStore } from '../delivery.store.port.js';
import type { AttemptResult } from '../delivery.types.js';
import type { DeliveriesUnderTest, OpenDeliveries } from './deliveries.under-test.js';
import { EndpointHistories } from './endpoint.histories.testing.js';
import { allDeliveries, claim, finish, NOW, numberAll, numberingOf } from './numbered.tables.testing.js';
import { appendSale } from './sales.testing.js';

const MERCHANT = 'mer_A';
const minute = (number: number): string => new Date(Date.UTC(2026, 2, 1, 0, number)).toISOString();
const LEASE_MS = 20_000;

export function sendingContract(open: OpenDeliveries): void {
  describe('sending', () => {
    let place: DeliveriesUnderTest;
    let tables: DeliveryStore;
    let endpoints: EndpointHistories;
    let id: string;
    let number: () => Promise<void>;

    beforeEach(async () => {
      place = await open();
      const store = new MemoryEventStore();
      tables = await place.open();
      endpoints = new EndpointHistories(store);
      id = await endpoints.create(MERCHANT, minute(0));
      const consumer = numberingOf(store, tables);
      number = () => numberAll(store, () => consumer);
      for (let sale = 1; sale <= 5; sale++) await appendSale(store, sale, MERCHANT, minute(6 - sale));
      await number();
    });
    afterEach(() => place.remove());

    const claimed = async (change: Partial<ClaimRequest> = {}, on = tables) => {
      const now = { service: NOW, real: 1_000 };
      const request = {
        endpointIds: [id],
        perEndpointMax: 8,
        limit: 100,
        token: 'one',
        now,
        leaseMs: LEASE_MS,
      };
      const batches = await claim(on, { ...request, ...change });
      return batches.flatMap(({ deliveries }) => deliveries);
    };
    const due = (real = 1_000): Promise<string[]> =>
      tables.dueEndpoints({ service: NOW, real }, 10, new Set());

    it('starts deliveries in the order of their numbers, though the times of streams are not', async () => {
      const started = await claimed();
      expect(started.map(({ hookSequence }) => hookSequence)).toEqual([1, 2, 3, 4, 5]);
    });

    it('all processes together claim at most so many deliveries of an endpoint, and none twice', async () => {
      const second = await place.open();
      const first = await claimed({ perEndpointMax: 3 });
      const more = await claimed({ perEndpointMax: 4, token: 'two' }, second);
      expect(await claimed({ perEndpointMax: 4, token: 'three' }, second)).toEqual([]);
      expect([...first, ...more].map(({ hookSequence }) => hookSequence)).toEqual([1, 2, 3, 4]);
    });

    it('an endpoint is due until all its due deliveries are claimed', async () => {
      expect(await due()).toEqual([id]);
      expect(await tables.dueEndpoints({ service: NOW, real: 0 }, 10, new Set([id]))).toEqual([]);
      await claimed({ limit: 4 });
      expect(await due()).toEqual([id]);
      await claimed({ token: 'two' });
      expect(await due()).toEqual([]);
      expect(await tables.nextDueAt()).toBeUndefined();
    });

    it('a claim ends by real time, and results under its token are then not written', async () => {
      const [first] = await claimed({ limit: 1 });
      await claimed({ token: 'others' });
      const later = { service: NOW, real: 1_000 + LEASE_MS };
      expect(await due(later.real)).toEqual([id]);
      const again = await claimed({ token: 'two', now: later, limit: 1 });
      expect(again[0]?.deliveryId).toBe(first?.deliveryId);
      expect(again[0]?.body).toEqual(first?.body);
      const result = succeeded(first?.deliveryId ?? '');
      expect((await finish(tables, 'one', [result])).written).toEqual([]);
      expect((await finish(tables, 'two', [result])).written).toEqual([first?.deliveryId]);
      expect((await finish(tables, 'two', [result])).written).toEqual([]);
      const stored = await tables.find(id, first?.deliveryId ?? '');
      expect(stored).toMatchObject({ status: 'Succeeded', tries: [{ status: 200, durationMs: 7 }] });
    });

    it('released deliveries are due again at once', async () => {
      const [first] = await claimed();
      await tables.release('other', [first?.deliveryId ?? '']);
      expect(await due()).toEqual([]);
      await tables.release('one', [first?.deliveryId ?? '']);
      expect((await claimed({ token: 'two' })).map(({ deliveryId }) => deliveryId)).toEqual([
        first?.deliveryId,
      ]);
    });

    it('a failed delivery is due at its next time, before those that fall due later, with its number of attempts', async () => {
      const [first] = await claimed({ limit: 1 });
      await claimed({ token: 'others' });
      const nextTryAt = NOW + 5_000;
      await finish(tables, 'one', [failed(first?.deliveryId ?? '', nextTryAt)]);
      expect(await claimed({ token: 'two' })).toEqual([]);
      expect(await tables.nextDueAt()).toBe(nextTryAt);
      const [again] = await claimed({ token: 'two', now: { service: nextTryAt, real: 1_000 } });
      expect(again).toMatchObject({ deliveryId: first?.deliveryId, attempts: 1 });
      await finish(tables, 'two', [
        { ...failed(first?.deliveryId ?? '', 0), outcome: { kind: 'Exhausted' } },
      ]);
      const stored = await tables.find(id, first?.deliveryId ?? '');
      expect(stored).toMatchObject({
        status: 'Exhausted',
        tries: [{ error: 'refused' }, { error: 'refused' }],
      });
      expect(stored).not.toHaveProperty('nextTryAt');
    });

    it('a replay during an attempt is one more attempt after it, whatever its outcome', async () => {
      const [a = '', b = '', c = ''] = (await claimed({ limit: 3 })).map(({ deliveryId }) => deliveryId);
      for (const name of [a, b, c]) await tables.replay(id, name, NOW + 1);
      const now = { service: NOW + 1, real: 1_000 };
      const during = await claimed({ token: 'others', now });
      expect(during.map(({ hookSequence }) => hookSequence)).toEqual([4, 5]);
      const exhausted = { ...failed(c, 0), outcome: { kind: 'Exhausted' as const } };
      await finish(tables, 'one', [succeeded(a), failed(b, NOW + 60_000), exhausted]);
      expect(await tables.find(id, a)).toMatchObject({
        ...{ status: 'Pending', nextTryAt: NOW + 1 },
        tries: [{ status: 200 }],
      });

      const after = await claimed({ token: 'two', now });
      expect(after).toMatchObject([
        { deliveryId: a, replayOf: 'Succeeded' },
        { deliveryId: b, attempts: 1 },
        { deliveryId: c, replayOf: 'Exhausted' },
      ]);
      await finish(tables, 'two', [succeeded(a), succeeded(b), succeeded(c)]);
      for (const name of [a, b, c]) {
        const ended = await tables.find(id, name);
        expect(ended).toMatchObject({ status: 'Succeeded', tries: [{}, { status: 200 }] });
        expect(ended).not.toHaveProperty('nextTryAt');
      }
    });

    it('a replay during the attempt of a process that ended is the repeated attempt', async () => {
      const [first] = await claimed({ limit: 1 });
      const name = first?.deliveryId ?? '';
      await tables.replay(id, name, NOW);
      const again = await claimed({ token: 'two', now: { service: NOW, real: 1_000 + LEASE_MS } });
      expect(again.filter(({ deliveryId }) => deliveryId === name)).toHaveLength(1);
      await finish(tables, 'two', [succeeded(name)]);
      const ended = await tables.find(id, name);
      expect(ended).toMatchObject({ status: 'Succeeded' });
      expect(ended).not.toHaveProperty('nextTryAt');
    });

    it('an endpoint fails since its first failure after the last success', async () => {
      const [a, b, c] = (await claimed()).map(({ deliveryId }) => deliveryId) as [string, string, string];
      const failure = (name: string, at: number): AttemptResult => {
        const { attempt, ...rest } = failed(name, NOW);
        return { ...rest, attempt: { ...attempt, at } };
      };
      expect((await finish(tables, 'one', [failure(a, 10)])).failingSince).toEqual(new Map([[id, 10]]));
      expect((await finish(tables, 'one', [failure(b, 20)])).failingSince).toEqual(new Map([[id, 10]]));
      expect((await finish(tables, 'one', [succeeded(c)])).failingSince).toEqual(new Map([[id, undefined]]));
      await tables.replay(id, c, NOW);
      await claimed({ token: 'two' });
      const failedReplay = { ...failure(c, 30), outcome: { kind: 'Succeeded' } } as const;
      expect((await finish(tables, 'two', [failedReplay])).failingSince).toEqual(new Map([[id, 30]]));
    });

    it('one of all processes reports that an endpoint starts to fail, is exhausted or recovers, once each', async () => {
      const second = await place.open();
      const [a = '', b = '', c = '', d = '', e = ''] = (await claimed()).map(({ deliveryId }) => deliveryId);
      const exhausted = (name: string): AttemptResult => ({
        ...failed(name, 0),
        outcome: { kind: 'Exhausted' },
      });
      const changes = async (on: DeliveryStore, ...results: AttemptResult[]) =>
        (await finish(on, 'one', results)).health.get(id) ?? [];
      expect(await changes(tables, failed(a, NOW + 1))).toEqual(['StartedFailing']);
      expect(await changes(second, failed(b, NOW + 1))).toEqual([]);
      expect(await changes(second, exhausted(c))).toEqual(['Exhausted']);
      expect(await changes(tables, exhausted(d))).toEqual([]);
      expect(await tables.measure(NOW, 100)).toMatchObject({
        endpoints: { Failing: 1, Well: 0 },
        failingSince: NOW,
      });
      expect(await changes(second, succeeded(e))).toEqual(['Recovered']);
      await claimed({ token: 'one', now: { service: NOW + 1, real: 1_000 } });
      expect(await changes(tables, succeeded(a))).toEqual([]);
      expect(await changes(tables, exhausted(b))).toEqual(['StartedFailing', 'Exhausted']);
    });

    it('what waits is measured up to a limit, with the time of the longest due', async () => {
      const health = { Well: 1, Failing: 0, Disabled: 0, DisabledGone: 0, DisabledFailing: 0 };
      const first = Date.parse(minute(5));
      const measured = { due: 5, later: 0, oldestDueAt: first, endpoints: health };
      expect(await tables.measure(NOW, 100)).toEqual(measured);
      expect(await tables.measure(NOW, 3)).toMatchObject({ due: 3 });
      const [started] = await claimed({ limit: 1 });
      expect(await tables.measure(NOW, 100)).toMatchObject({ due: 4 });
      await finish(tables, 'one', [failed(started?.deliveryId ?? '', NOW + 5_000)]);
      expect(await tables.measure(NOW, 100)).toMatchObject({ due: 4, later: 1, endpoints: { Failing: 1 } });
      await endpoints.setStatus(MERCHANT, minute(9), id, 'Disabled');
      await number();
      expect(await tables.measure(NOW, 100)).toEqual({
        ...{ due: 0, later: 0 },
        endpoints: { ...health, Well: 0, Disabled: 1 },
      });
    });

    it('retries of an endpoint that was disabled stop, and its failures are forgotten when it is enabled', async () => {
      const [first] = await claimed({ limit: 1 });
      await finish(tables, 'one', [failed(first?.deliveryId ?? '', NOW + 1)]);
      await endpoints.setStatus(MERCHANT, minute(9), id, 'Disabled');
      await number();
      expect(await claimed({ now: { service: NOW + 10, real: 1_000 } })).toEqual([]);
      expect(await due()).toEqual([]);
      await endpoints.setStatus(MERCHANT, minute(10), id, 'Enabled');
      await number();
      expect(await claimed({ now: { service: NOW + 10, real: 1_000 } })).toEqual([]);
      expect((await allDeliveries(tables, id)).map(({ status }) => status)).toEqual(
        Array(5).fill('Exhausted'),
      );
      expect(await tables.list({ endpointId: id, status: ['Exhausted'] }, undefined, 10)).toHaveLength(5);
      const [replayed] = (await allDeliveries(tables, id)).map(({ deliveryId }) => deliveryId);
      await tables.replay(id, replayed ?? '', NOW);
      await claimed({ token: 'two' });
      const failure = failed(replayed ?? '', 0);
      const { failingSince } = await finish(tables, 'two', [
        { ...failure, attempt: { ...failure.attempt, at: 77 } },
      ]);
      expect(failingSince).toEqual(new Map([[id, 77]]));
    });

    it('deliveries are claimed once a result of a stopped retry came late', async () => {
      const [first] = await claimed({ limit: 1 });
      await endpoints.setStatus(MERCHANT, minute(9), id, 'Disabled');
      await number();
      await finish(tables, 'one', [failed(first?.deliveryId ?? '', NOW + 1)]);
      while ((await tables.purge(0)) > 0);
      expect(await tables.find(id, first?.deliveryId ?? '')).toMatchObject({ status: 'Exhausted' });
      expect(await tables.nextDueAt()).toBeUndefined();
    });

    it('bodies and answers are deleted in steps, and a delivery without a body is exhausted', async () => {
      const [first] = await claimed({ limit: 1 });
      const { attempt, ...rest } = succeeded(first?.deliveryId ?? '');
      await finish(tables, 'one', [{ ...rest, attempt: { ...attempt, answer: Buffer.from('sealed') } }]);
      expect((await tables.find(id, first?.deliveryId ?? ''))?.tries[0]?.answer).toEqual(
        Buffer.from('sealed'),
      );
      while ((await tables.purge(NOW)) > 0);
      expect((await tables.find(id, first?.deliveryId ?? ''))?.tries[0]).not.toHaveProperty('answer');
      expect(await claimed({ token: 'two' })).toEqual([]);
      const listed = await allDeliveries(tables, id);
      expect(listed.filter(({ status }) => status === 'Exhausted')).toHaveLength(4);
      expect(await tables.replay(id, first?.deliveryId ?? '', NOW)).toEqual({ kind: 'BodyDeleted' });
      expect(await tables.nextDueAt()).toBeUndefined();
    });
  });
}

export function succeeded(deliveryId: string): AttemptResult {
  return { deliveryId, attempt: { at: NOW, status: 200, durationMs: 7 }, outcome: { kind: 'Succeeded' } };
}

export function failed(deliveryId: string, nextTryAt: number): AttemptResult {
  const attempt = { at: NOW, durationMs: 7, error: 'refused' };
  return { deliveryId, attempt, outcome: { kind: 'Failed', nextTryAt } };
}

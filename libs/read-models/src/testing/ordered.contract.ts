import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { UnknownEvent } from '@tillstream/domain';
import { ConsumerGroup, type ConsumerLog } from '@tillstream/event-consumers';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import { MemoryEventStore } from '@tillstream/event-store';
import type { OrderedReadModel } from '../projections/ordered.projection.js';
import type { ListsUnderTest, OpenLists } from './lists.under-test.js';
import { numbering, type Numbering } from './numbering.example.js';

const silent: ConsumerLog = {
  halted: () => undefined,
  failing: () => undefined,
  recovered: () => undefined,
  wasReset: () => undefined,
};

interface Row {
  readonly merchant: string;
  readonly number: number;
  readonly event: string;
}

export function orderedContract(openLists: OpenLists): void {
  describe('an ordered projection', () => {
    let place: ListsUnderTest;
    let store: MemoryEventStore;
    const opened: OrderedReadModel<Numbering>[] = [];

    beforeEach(() => {
      place = openLists();
      store = new MemoryEventStore();
    });
    afterEach(async () => {
      for (const model of opened.splice(0)) await model.close();
      await place.remove();
    });

    const open = async (projection = numbering()): Promise<OrderedReadModel<Numbering>> => {
      const model = await place.openOrdered(store, projection);
      opened.push(model);
      return model;
    };
    const groupOf = (model: OrderedReadModel<Numbering>): ConsumerGroup =>
      new ConsumerGroup({
        store,
        leases: new MemoryLeases(),
        lease: 'numbering',
        consumers: [model.consumer],
        log: silent,
      });
    const rowsOf = (model: OrderedReadModel<Numbering>): Promise<readonly Row[]> =>
      model.read((build) =>
        build
          .selectFrom('numbers')
          .selectAll()
          .orderBy('merchant')
          .orderBy('number' as never),
      );
    const happens = async (merchant: string, stream: number, type = 'Ordered'): Promise<void> => {
      const name = `order-${merchant}${stream}`;
      const { events } = await store.readStream(name);
      const event = { id: randomUUID(), type, data: { merchant }, metadata: { schemaVersion: 1 } };
      const last = events.at(-1);
      await store.append({ stream: name, expected: last?.revision ?? 'none', events: [event] });
    };

    it('handles the events of many streams once each, in the order of the store', async () => {
      for (const [merchant, stream] of [
        ['a', 1],
        ['b', 1],
        ['a', 2],
        ['a', 1],
      ] as const)
        await happens(merchant, stream);
      const model = await open();
      await groupOf(model).catchUp();
      await groupOf(model).catchUp();
      const all = await store.readAll();
      const ofA = all.events.filter(({ data }) => data['merchant'] === 'a').map(({ id }) => id);
      const rows = await rowsOf(model);
      expect(rows.map(({ merchant, number }) => `${merchant}${number}`)).toEqual(['a1', 'a2', 'a3', 'b1']);
      expect(rows.filter(({ merchant }) => merchant === 'a').map(({ event }) => event)).toEqual(ofA);
    });

    it('handles new events soon, in one process at a time', async () => {
      const leases = new MemoryLeases();
      const models = [await open(), await open()];
      const groups = models.map(({ consumer }, index) => {
        const held = index === 0 ? leases : leases.otherHolder();
        return new ConsumerGroup({
          store,
          leases: held,
          lease: 'numbering',
          log: silent,
          consumers: [consumer],
        });
      });
      for (const group of groups) void group.start();
      for (let event = 0; event < 30; event++) await happens('a', event % 3);
      const [reader] = opened;
      while (((await reader?.read((build) => build.selectFrom('numbers').selectAll())) ?? []).length < 30)
        await new Promise((resume) => setTimeout(resume, 5));
      await Promise.all(groups.map((group) => group.stop()));
      const rows = reader ? await rowsOf(reader) : [];
      expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    });

    it('fences a leader that was paused while another one continued', async () => {
      await happens('a', 1);
      const [paused, other] = [await open(), await open()];
      const page = (await store.readAll()).events;
      await groupOf(other).catchUp();
      const [event] = page;
      if (!event) throw new Error('there is an event');
      const witness = { stream: event.stream, revision: event.revision, position: event.position };
      const late = { items: [event], from: undefined, to: event.position, witness } as const;
      expect(await paused.consumer.handle(late)).toEqual({ kind: 'Fenced' });
      expect(await rowsOf(other)).toHaveLength(1);
    });

    it('halts at an event of an unknown type, and writes nothing of its page', async () => {
      await happens('a', 1);
      await happens('a', 1, 'Foreseen');
      const model = await open();
      await expect(groupOf(model).catchUp()).rejects.toThrow('Foreseen');
      expect((await rowsOf(model)).length).toBeLessThanOrEqual(1);
      expect(model.consumer.isPermanent(new UnknownEvent('Foreseen', 1))).toBe(true);
    });

    it('is rebuilt beside the live tables by a newer version, and swapped', async () => {
      await happens('a', 1);
      const old = await open();
      await groupOf(old).catchUp();
      const newer = await open(numbering(2));
      expect([await old.isOutdated(), await newer.isOutdated()]).toEqual([false, true]);
      await happens('a', 2);
      expect(await newer.rebuild()).toEqual({ events: 2 });
      expect(await newer.isOutdated()).toBe(false);
      expect(await rowsOf(newer)).toHaveLength(2);
      // The older version does not write into tables of the newer one.
      await happens('a', 3);
      await expect(groupOf(old).catchUp()).rejects.toThrow();
      await groupOf(newer).catchUp();
      expect(await rowsOf(newer)).toHaveLength(3);
    });

    it('does not write into tables of an older version; the maintenance task of the group rebuilds them', async () => {
      await happens('a', 1);
      const old = await open();
      await groupOf(old).catchUp();
      const newer = await open(numbering(2));
      await happens('a', 2);
      expect(await groupOf(newer).catchUp()).toBe(false);
      expect(await rowsOf(old)).toHaveLength(1);
      const group = new ConsumerGroup({
        store,
        leases: new MemoryLeases(),
        lease: 'numbering',
        consumers: [newer.consumer],
        tasks: [newer.maintenanceTask(silent)],
        log: silent,
      });
      await group.start();
      while (await newer.isOutdated()) await new Promise((resume) => setTimeout(resume, 5));
      await happens('a', 3);
      while ((await rowsOf(newer)).length < 3) await new Promise((resume) => setTimeout(resume, 5));
      await group.stop();
      expect((await rowsOf(newer)).map(({ number }) => number)).toEqual([1, 2, 3]);
    });

    it('keeps the live tables unchanged if a rebuild is aborted', async () => {
      await happens('a', 1);
      const model = await open();
      await groupOf(model).catchUp();
      await expect(model.rebuild({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
        'enough',
      );
      expect(await rowsOf(model)).toHaveLength(1);
      expect(await model.rebuild()).toEqual({ events: 1 });
    });

    it('gives the tables of the history with any pages, restarts and rebuilds', async () => {
      const step = fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({
            does: fc.constant('append' as const),
            merchant: fc.constantFrom('a', 'b'),
            stream: fc.integer({ min: 1, max: 3 }),
          }),
        },
        {
          weight: 3,
          arbitrary: fc.record({
            does: fc.constant('catchUp' as const),
            pages: fc.integer({ min: 1, max: 2 }),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ does: fc.constantFrom('rebuild' as const, 'restart' as const) }),
        },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          for (const model of opened.splice(0)) await model.close();
          await place.remove();
          place = openLists();
          store = new MemoryEventStore();
          let model = await open();
          for (const one of steps) {
            if (one.does === 'append') await happens(one.merchant, one.stream);
            else if (one.does === 'catchUp') await groupOf(model).catchUp({ pages: one.pages });
            else if (one.does === 'rebuild') await model.rebuild();
            else model = await open();
          }
          await groupOf(model).catchUp();
          const live = await rowsOf(model);
          await model.rebuild();
          expect(await rowsOf(model)).toEqual(live);
          const { events } = await store.readAll();
          expect(live).toHaveLength(events.length);
        }),
        { numRuns: 25 },
      );
    }, 200_000);
  });
}

import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryEventStore, type EventStore } from '@tillstream/event-store';
import { projectionParts, PROJECTIONS } from '../projections/projection.registry.js';
import type { ReadModels, WrittenStream } from '../read-models.types.js';
import { seededChoice } from './random-decisions.testing.js';
import { isListed, appendedOperationId, nextAppend, toWrittenStream } from './listed.operations.js';
import type { ListsUnderTest, OpenLists } from './lists.under-test.js';
import { RandomHistories } from './random-histories.testing.js';
import { recordingLog, type LogLine } from './recorded.log.js';

export function lifecycleContract(openLists: OpenLists): void {
  describe('read models', () => {
    let place: ListsUnderTest;
    let store: MemoryEventStore;
    let histories: RandomHistories;
    let models: ReadModels;
    let logged: LogLine[];
    const opened: ReadModels[] = [];

    beforeEach(() => {
      place = openLists();
      store = new MemoryEventStore();
      histories = new RandomHistories(store, seededChoice(23), { streams: 5_000, categories: ['payment'] });
      logged = [];
    });
    afterEach(async () => {
      for (const model of opened.splice(0)) await model.stop();
      await place.remove();
    });

    async function open(from: EventStore = store, source = ''): Promise<ReadModels> {
      models = await place.open({ store: from, source, log: recordingLog(logged) });
      opened.push(models);
      return models;
    }

    it('list a written-through row at once, on every instance, without a projector', async () => {
      const other = await open();
      await open();
      for (let round = 0; round < 50; round++) {
        const append = await nextAppend(histories);
        await models.writer.writeThrough('payment', toWrittenStream(append));
        expect(await isListed(other, appendedOperationId(append))).toBe(true);
      }
    });

    it('list an event soon after its append if its rows were not written through', async () => {
      await (await open()).start();
      await histories.run(100);
      const append = await nextAppend(histories);
      await models.waitUntilCaughtUp();
      expect(await isListed(models, appendedOperationId(append))).toBe(true);
    });

    it('let several writers on several instances read their writes while generations are swapped', async () => {
      await histories.run(200);
      const instances = [await open(), await open()];
      let swaps = 0;
      let writing = 4;
      const swapping = (async () => {
        for (; writing > 0; swaps++) await models.rebuild('transactions');
      })();
      const write = async (writer: number): Promise<number> => {
        const [mine, other] = writer % 2 === 0 ? instances : instances.toReversed();
        const own = new RandomHistories(store, seededChoice(writer), {
          streams: 500,
          from: 5_000 + writer * 1_000,
          categories: ['payment'],
        });
        let writes = 0;
        for (; swaps < 3; await pause(writes % 3)) {
          const append = await own.appendNext();
          if (!append || !mine || !other) continue;
          await mine.writer.writeThrough('payment', toWrittenStream(append));
          if (!(await isListed(other, appendedOperationId(append))))
            throw new Error(
              `${appendedOperationId(append)} is not listed after ${swaps} swaps: ${JSON.stringify(logged)}`,
            );
          writes += 1;
        }
        writing -= 1;
        return writes;
      };
      const writes = await Promise.all([1, 2, 3, 4].map(write));
      await swapping;
      expect(Math.min(...writes)).toBeGreaterThan(10);
      expect(logged).toEqual([]);
      expect((await models.check('transactions')).difference).toBeUndefined();
    }, 300_000);

    it('log a row that can not be written, and the caller continues', async () => {
      await open();
      const append = await nextAppend(histories);
      const broken = {
        ...toWrittenStream(append),
        state: { ...(append.state as object), operations: undefined },
      };
      await models.writer.writeThrough('payment', broken as never);
      expect(logged).toEqual([['row-not-written', { stream: append.stream, reason: expect.any(String) }]]);
    });

    it('lose nothing at a stop: the next start resumes there', async () => {
      await (await open()).start();
      await histories.run(60);
      await models.waitUntilCaughtUp();
      await models.stop();
      await histories.run(60);
      await (await open()).start();
      await models.waitUntilCaughtUp();
      const transactions = (await models.status()).find(({ name }) => name === 'transactions');
      expect(transactions).toMatchObject({ status: 'Live', lagEvents: 0 });
      expect((await models.check('transactions')).difference).toBeUndefined();
    });

    it('have caught up with a head although other processes append after it', async () => {
      await (await open()).start();
      await histories.run(60);
      const head = await store.head();
      await models.waitUntilCaughtUp(head);
      await models.stop();
      // No projector runs from here on.
      await open();
      await histories.run(20);
      await models.waitUntilCaughtUp(head);
      const transactions = (await models.status()).find(({ name }) => name === 'transactions');
      expect(transactions?.lagEvents).toBeGreaterThan(0);
      const newer = models.waitUntilCaughtUp(await store.head()).then(() => 'caught up');
      expect(await Promise.race([newer, pause(100, 'waits')])).toBe('waits');
      await models.start();
      expect(await newer).toBe('caught up');
    });

    it('have rows in every list from the random histories of these tests', async () => {
      await new RandomHistories(store, seededChoice(29), { streams: 300 }).run(900);
      await open();
      for (const name of PROJECTIONS) expect((await models.rebuild(name)).rows).toBeGreaterThan(0);
    });

    it('report the lag, and why a projection has halted; the other projections continue', async () => {
      await open();
      const { stream, events } = await nextAppend(histories);
      const unknown = { id: crypto.randomUUID(), type: 'Foreseen', data: {}, metadata: { schemaVersion: 1 } };
      await store.append({ stream, expected: events.length - 1, events: [unknown] });
      const status = async () => (await models.status()).find(({ name }) => name === 'transactions');
      expect(await status()).toMatchObject({ status: 'Live', lagEvents: events.length + 1 });
      await models.start();
      while ((await status())?.status !== 'Halted') await pause(10);
      expect((await status())?.reason).toContain('Foreseen');
      const halted = PROJECTIONS.filter((name) => projectionParts(name).has('payment'));
      while (logged.length < halted.length) await pause(10);
      expect(logged.map(([event]) => event)).toEqual(halted.map(() => 'projection-halted'));
      const live = (await models.status()).filter((one) => one.status === 'Live');
      expect(live).toHaveLength(PROJECTIONS.length - halted.length);
      // Halted ones are not waited for.
      await models.waitUntilCaughtUp();
    });

    it('project in one process at a time; when it stops, another one continues', async () => {
      const first = await open();
      const second = await open();
      await first.start();
      await second.start();
      await histories.run(50);
      await second.waitUntilCaughtUp();
      await first.stop();
      await histories.run(50);
      await second.waitUntilCaughtUp();
      expect((await second.check('transactions')).difference).toBeUndefined();
    });

    it('rebuild rows that were made from another store', async () => {
      await (await open()).stop();
      await histories.run(40);
      const append = await nextAppend(histories);
      await open(store, 'elsewhere');
      await models.start();
      await models.waitUntilCaughtUp();
      expect(await isListed(models, appendedOperationId(append))).toBe(true);
    });

    it.each([
      ['payment', 'transactions'],
      ['merchant', 'payment_methods'],
    ] as const)(
      'have all rows of a long %s after a write-through, whichever earlier ones were lost',
      async (category, list) => {
        let runs = 0;
        let longest = 0;
        await fc.assert(
          fc.asyncProperty(fc.integer({ min: 1 }), async (seed) => {
            const choose = seededChoice(seed);
            // Without a projector: the rows are those that were written through, or that a rebuild made.
            const instances = [await open(), await open()];
            const options = { streams: 2, from: 1_000 + 10 * (runs += 1), categories: [category] };
            const long = new RandomHistories(store, choose, options);
            const last = new Map<string, WrittenStream>();
            await long.run(150, async (append) => {
              last.set(append.stream, append);
              if (choose(3) === 0) await instances[choose(2)]?.writer.writeThrough(category, append);
              if (choose(40) === 0) await models.rebuild(list);
            });
            for (const written of last.values())
              await instances[choose(2)]?.writer.writeThrough(category, written);
            for (const { events } of last.values()) longest = Math.max(longest, events.length);
            expect((await models.check(list)).difference).toBeUndefined();
          }),
          { numRuns: 8 },
        );
        expect(longest).toBeGreaterThan(10);
        expect(logged).toEqual([]);
      },
      100_000,
    );

    it('give the rows of the history after any appends, write-throughs, restarts and rebuilds', async () => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1 }), async (seed) => {
          const choose = seededChoice(seed);
          const anything = new RandomHistories(store, choose, { from: 10 * (runs += 1) });
          await open();
          await models.start();
          for (let round = 0; round < 3; round++) {
            await anything.run(25, async (append) => {
              // With all events of the stream: that makes up for those that were not written through.
              if (choose(2) === 0) await models.writer.writeThrough(append.category, append);
            });
            const projection = PROJECTIONS[choose(PROJECTIONS.length)] ?? 'transactions';
            if (choose(2) === 0) await models.rebuild(projection);
            if (choose(2) === 0) continue;
            await models.stop();
            await open();
            await models.start();
          }
          await models.waitUntilCaughtUp();
          for (const projection of PROJECTIONS) {
            expect((await models.check(projection)).difference).toBeUndefined();
          }
          await models.stop();
        }),
        { numRuns: 3 },
      );
    }, 100_000);
  });
}

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '@tillstream/event-store';
import { PROJECTIONS } from '../projections/projection.registry.js';
import type { ReadModels } from '../read-models.types.js';
import { seededChoice } from './random-decisions.testing.js';
import type { ListsUnderTest, OpenLists } from './lists.under-test.js';
import { RandomHistories } from './random-histories.testing.js';

export function restoredStoreContract(openLists: OpenLists): void {
  describe('Lists beside an older copy of their events', () => {
    let place: ListsUnderTest;
    let store: MemoryEventStore;
    let logged: string[];
    const opened: ReadModels[] = [];

    beforeEach(async () => {
      place = openLists();
      store = new MemoryEventStore();
      logged = [];
      await historiesIn(store, 31).run(120);
    });
    afterEach(async () => {
      for (const model of opened.splice(0)) await model.stop();
      await place.remove();
    });

    const historiesIn = (into: MemoryEventStore, seed: number): RandomHistories =>
      new RandomHistories(into, seededChoice(seed), { streams: 60, from: seed * 1_000 });

    /** All instances share one place. */
    async function open(from: MemoryEventStore): Promise<ReadModels> {
      const tell = (event: string): void => void logged.push(event);
      const log = { info: tell, warn: tell, failed: tell };
      const models = await place.open({ store: from, log });
      opened.push(models);
      return models;
    }

    async function made(from: MemoryEventStore): Promise<void> {
      const models = await open(from);
      await models.start();
      await models.waitUntilCaughtUp();
      await models.stop();
    }

    /** A backup that was taken after this many events. */
    async function backup(events: number): Promise<MemoryEventStore> {
      const copy = new MemoryEventStore();
      for (const event of (await store.readAll({ limit: events })).events) {
        await copy.append({ stream: event.stream, expected: 'any', events: [event] });
      }
      return copy;
    }

    const differences = async (models: ReadModels): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (const projection of PROJECTIONS) found.push((await models.check(projection)).difference);
      return found.filter((difference) => difference !== undefined);
    };

    it('start again, empty: they list nothing that is not in the copy', async () => {
      await made(store);
      const models = await open(await backup(60));
      expect(await differences(models)).not.toEqual([]);
      await models.start();
      await models.waitUntilCaughtUp();
      expect(new Set(logged)).toEqual(new Set(['list-started-anew']));
      expect(await differences(models)).toEqual([]);
    });

    it('start again also if the copy has newer events, after the position that they had reached', async () => {
      await made(store);
      const copy = await backup(60);
      await historiesIn(copy, 77).run(200);
      const models = await open(copy);
      await models.start();
      await models.waitUntilCaughtUp();
      expect(logged).toContain('list-started-anew');
      expect(await differences(models)).toEqual([]);
    });

    it('report a lag before that', async () => {
      await made(store);
      const models = await open(await backup(60));
      const lags = Object.fromEntries(
        (await models.status()).map(({ name, lagEvents }) => [name, lagEvents]),
      );
      expect(lags['transactions']).toBeGreaterThan(0);
      expect((await (await open(store)).status()).every(({ lagEvents }) => lagEvents === 0)).toBe(true);
    });

    it('resume if the copy has all events that they had read', async () => {
      const copy = await backup(60);
      await made(copy);
      await made(store);
      expect(logged).toEqual([]);
      const models = await open(store);
      expect(await differences(models)).toEqual([]);
    });

    it('start again also if a rebuild made them', async () => {
      const models = await open(store);
      await models.rebuild('transactions');
      await models.stop();
      await made(await backup(60));
      expect(logged).toEqual(['list-started-anew']);
    });
  });
}

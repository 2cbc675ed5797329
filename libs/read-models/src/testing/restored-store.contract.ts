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
    let told: string[];
    const opened: ReadModels[] = [];

    beforeEach(async () => {
      place = openLists();
      store = new MemoryEventStore();
      told = [];
      await livesIn(store, 31).run(120);
    });
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.stop();
      await place.remove();
    });

    const livesIn = (into: MemoryEventStore, seed: number): RandomHistories =>
      new RandomHistories(into, seededChoice(seed), { streams: 60, from: seed * 1_000 });

    /** In one place. */
    async function open(from: MemoryEventStore): Promise<ReadModels> {
      const tell = (event: string): void => void told.push(event);
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

    /** What a backup has that was taken after so many events. */
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

    it('start anew: nothing is listed that did not happen in it', async () => {
      await made(store);
      const models = await open(await backup(60));
      expect(await differences(models)).not.toEqual([]);
      await models.start();
      await models.waitUntilCaughtUp();
      expect(new Set(told)).toEqual(new Set(['list-started-anew']));
      expect(await differences(models)).toEqual([]);
    });

    it('start anew also where the copy has gone on, and lies behind all that they had read', async () => {
      await made(store);
      const copy = await backup(60);
      await livesIn(copy, 77).run(200);
      const models = await open(copy);
      await models.start();
      await models.waitUntilCaughtUp();
      expect(told).toContain('list-started-anew');
      expect(await differences(models)).toEqual([]);
    });

    it('do not pass for up to date before that', async () => {
      await made(store);
      const models = await open(await backup(60));
      const lags = Object.fromEntries(
        (await models.status()).map(({ name, lagEvents }) => [name, lagEvents]),
      );
      expect(lags['transactions']).toBeGreaterThan(0);
      expect((await (await open(store)).status()).every(({ lagEvents }) => lagEvents === 0)).toBe(true);
    });

    it('go on where they were when all that they had read is in it', async () => {
      const copy = await backup(60);
      await made(copy);
      await made(store);
      expect(told).toEqual([]);
      const models = await open(store);
      expect(await differences(models)).toEqual([]);
    });

    it('that were made by a rebuild are known by it too', async () => {
      const models = await open(store);
      await models.rebuild('transactions');
      await models.stop();
      await made(await backup(60));
      expect(told).toEqual(['list-started-anew']);
    });
  });
}

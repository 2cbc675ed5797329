import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '@tillstream/event-store';
import { tableShape } from '../projections/projection.registry.js';
import { ReadModelUnavailable } from '../read-models.errors.js';
import type { List, ListItem, ReadModels } from '../read-models.types.js';
import { isListed, appendedOperationId, nextAppend, toWrittenStream } from './listed.operations.js';
import type { ListsUnderTest, OpenLists } from './lists.under-test.js';
import { MERCHANTS, seededChoice } from './random-decisions.testing.js';
import { RandomHistories } from './random-histories.testing.js';
import { recordingLog, type LogLine } from './recorded.log.js';

export function versionsContract(openLists: OpenLists): void {
  describe('Lists that another version of this program made', () => {
    const shape = tableShape('transactions');
    let place: ListsUnderTest;
    let store: MemoryEventStore;
    let histories: RandomHistories;
    let models: ReadModels;
    let logged: LogLine[];

    beforeEach(async () => {
      place = openLists();
      store = new MemoryEventStore();
      histories = new RandomHistories(store, seededChoice(23), { streams: 5_000, categories: ['payment'] });
      logged = [];
      models = await open();
    });
    afterEach(async () => {
      await models.stop();
      await place.remove();
    });

    const open = (): Promise<ReadModels> => place.open({ store, log: recordingLog(logged) });
    const list = (): Promise<List<ListItem>> =>
      models.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 1 });
    const rebuilt = async (): Promise<void> => {
      while (!logged.some(([event]) => event === 'rebuild-ended')) await pause(10);
    };

    it('answer with older rows while they are rebuilt in the background', async () => {
      await place.goLive({ ...shape, rowsVersion: 0 });
      await histories.run(40);
      const append = await nextAppend(histories);
      await models.writer.writeThrough('payment', toWrittenStream(append));
      expect(await isListed(models, appendedOperationId(append))).toBe(true);
      await models.start();
      await rebuilt();
      expect(await isListed(models, appendedOperationId(append))).toBe(true);
      expect(logged.map(([event]) => event)).toEqual(['rebuild-began', 'rebuild-ended']);
    });

    it('do not answer from older tables until they are rebuilt', async () => {
      await place.goLive({ ...shape, layout: 0 });
      await expect(list()).rejects.toThrow(ReadModelUnavailable);
      await models.start();
      await rebuilt();
      expect((await list()).items).toEqual([]);
    });

    it('are read with newer rows, and only the newer program writes them', async () => {
      await place.goLive({ ...shape, rowsVersion: 99 });
      await models.start();
      const append = await nextAppend(histories);
      await models.writer.writeThrough('payment', toWrittenStream(append));
      await pause(250);
      expect(await isListed(models, appendedOperationId(append))).toBe(false);
      expect(logged).toEqual([]);
    });

    it('a check names the first row that differs from the history', async () => {
      await models.start();
      await histories.run(60);
      await models.waitUntilCaughtUp();
      await models.stop();
      const row = await place.forge('transactions', (stored) => ({
        ...stored,
        revision: stored.revision + 1,
        status: 'Forged',
      }));
      models = await open();
      const { difference } = await models.check('transactions');
      expect(difference).toMatchObject({
        id: row.id,
        columns: expect.arrayContaining(['status']),
      });
    }, 60_000);
  });
}

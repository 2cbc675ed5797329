import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryEventStore } from '@tillstream/event-store';
import { ReadModelUnavailable, tableShape, type ReadModels, type TableShape } from '@tillstream/read-models';
import {
  seededChoice,
  isListed,
  RandomHistories,
  recordingLog,
  MERCHANTS,
  appendedOperationId,
  nextAppend,
  toWrittenStream,
  type LogLine,
} from '@tillstream/read-models/testing';
import { readModelsContract } from '@tillstream/read-models/testing/contract';
import { ControlDatabase } from './generations/control.database.js';
import { openReadModels } from './open-read-models.js';
import { SqliteOrderedReadModel } from './ordered/ordered.read-model.js';
import { GenerationFile } from './tables/generation.file.js';
import { openFile } from './tables/sqlite.dialect.js';
import { newFolder } from './testing/folder.testing.js';

readModelsContract('SQLite', () => {
  const { folder: directory, remove } = newFolder();
  return {
    open: (options) => openReadModels({ directory, ...options }),
    openOrdered: async (store, projection) =>
      new SqliteOrderedReadModel({ directory, store, source: '', log: recordingLog([]) }, projection),
    remove,
  };
});

describe('read models in SQLite', () => {
  let place: ReturnType<typeof newFolder>;
  let store: MemoryEventStore;
  let histories: RandomHistories;
  let models: ReadModels;
  let logged: LogLine[];
  const opened: ReadModels[] = [];

  beforeEach(() => {
    place = newFolder();
    store = new MemoryEventStore();
    histories = new RandomHistories(store, seededChoice(23), { streams: 5_000, categories: ['payment'] });
    logged = [];
  });
  afterEach(async () => {
    for (const model of opened.splice(0)) await model.stop();
    place.remove();
  });

  async function open(): Promise<ReadModels> {
    models = await openReadModels({ directory: place.folder, store, log: recordingLog(logged) });
    opened.push(models);
    return models;
  }

  it('open without a lock if the control database exists, while another process writes to it', () => {
    new ControlDatabase(place.folder).close();
    const other = openFile(join(place.folder, 'control.db'), 'writer');
    other.exec('BEGIN IMMEDIATE');
    const second = new ControlDatabase(place.folder);
    expect(second.generations()).toEqual([]);
    second.close();
    other.close();
  });

  describe('made by another version of this program', () => {
    async function madeBy(shape: TableShape): Promise<void> {
      await (await open()).stop();
      const control = new ControlDatabase(place.folder);
      const generation = control.startBuilding(shape, 'another builder');
      GenerationFile.create(control.fileOf(generation), tableShape('transactions')).close();
      control.announce(generation);
      control.swap(generation);
      control.close();
    }

    it('older rows answer while they are rebuilt in the background', async () => {
      await madeBy({ ...tableShape('transactions'), rowsVersion: 0 });
      await histories.run(40);
      const append = await nextAppend(histories);
      await open();
      await models.writer.writeThrough('payment', toWrittenStream(append));
      expect(await isListed(models, appendedOperationId(append))).toBe(true);
      await models.start();
      while (!logged.some(([event]) => event === 'rebuild-ended')) await pause(10);
      expect(await isListed(models, appendedOperationId(append))).toBe(true);
      expect(logged.map(([event]) => event)).toEqual(['rebuild-began', 'rebuild-ended']);
    });

    it('older tables do not answer until they are rebuilt', async () => {
      await madeBy({ ...tableShape('transactions'), layout: 0 });
      await open();
      const list = async () => models.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 1 });
      await expect(list()).rejects.toThrow(ReadModelUnavailable);
      await models.start();
      while (!logged.some(([event]) => event === 'rebuild-ended')) await pause(10);
      expect((await list()).items).toEqual([]);
    });

    it('newer rows are read, and only the newer program writes them', async () => {
      await madeBy({ ...tableShape('transactions'), rowsVersion: 99 });
      await (await open()).start();
      const append = await nextAppend(histories);
      await models.writer.writeThrough('payment', toWrittenStream(append));
      await pause(250);
      expect(await isListed(models, appendedOperationId(append))).toBe(false);
      expect(logged).toEqual([]);
    });
  });

  it('a check names the first row that differs from the history', async () => {
    await (await open()).start();
    await histories.run(60);
    await models.waitUntilCaughtUp();
    await models.stop();
    const control = new ControlDatabase(place.folder);
    const live = control.live('transactions');
    const file = GenerationFile.open(control.fileOf(live as never), tableShape('transactions'));
    const [row] = file.page('', 1);
    if (!row) throw new Error('there is a row');
    file.write([{ ...row, revision: row.revision + 1, status: 'Forged' }]);
    file.close();
    control.close();
    await open();
    const { difference } = await models.check('transactions');
    expect(difference).toMatchObject({
      id: row.id,
      columns: expect.arrayContaining(['status']) as string[],
    });
  }, 60_000);
});

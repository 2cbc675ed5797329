import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryEventStore } from '@tillstream/event-store';
import { PROJECTIONS, ReadModelUnavailable, type ReadModels } from '@tillstream/read-models';
import {
  seededChoice,
  isListed,
  RandomHistories,
  recordingLog,
  MERCHANTS,
  appendedOperationId,
  nextAppend,
  type LogLine,
} from '@tillstream/read-models/testing';
import { ControlDatabase } from '../generations/control.database.js';
import { openReadModels } from '../open-read-models.js';
import { DAMAGES, overwriteAll } from '../testing/file-damage.testing.js';
import { newFolder } from '../testing/folder.testing.js';
import { setAsideIfDamaged } from './damage.detection.js';

describe('Damaged files of lists', () => {
  /** The files of lists that have caught up: each test gets a copy. The store only grows. */
  let caughtUp: ReturnType<typeof newFolder>;
  let place: ReturnType<typeof newFolder>;
  const store = new MemoryEventStore();
  const histories = new RandomHistories(store, seededChoice(17), { streams: 300 });
  let logged: LogLine[] = [];
  let loggedUndamaged: LogLine[];
  const opened: ReadModels[] = [];

  beforeAll(async () => {
    await histories.run(200);
    caughtUp = newFolder();
    place = caughtUp;
    const models = await open();
    await models.start();
    await models.waitUntilCaughtUp();
    await stopAll();
    loggedUndamaged = logged;
  });
  afterAll(() => caughtUp.remove());
  beforeEach(() => {
    logged = [];
    place = newFolder();
    cpSync(caughtUp.folder, place.folder, { recursive: true });
  });
  afterEach(async () => {
    await stopAll();
    place.remove();
  });

  async function open(more: { readonly keepDamaged?: boolean } = {}): Promise<ReadModels> {
    const models = await openReadModels({
      directory: place.folder,
      store,
      log: recordingLog(logged),
      ...more,
    });
    opened.push(models);
    return models;
  }
  async function stopAll(): Promise<void> {
    for (const model of opened.splice(0)) await model.stop();
  }

  const fileOf = (name: string): string => {
    const files = readdirSync(place.folder).filter((one) => one.startsWith(name) && one.endsWith('.db'));
    return join(place.folder, files.at(-1) ?? 'none');
  };
  const warnings = (): Readonly<Record<string, unknown>>[] =>
    logged.flatMap(([event, fields]) => (event === 'list-damaged' ? [fields] : []));
  const setAsideNow = (): string[] => readdirSync(place.folder).filter((name) => /damaged-.*Z$/.test(name));
  const transactionsOf = (models: ReadModels) =>
    models.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 10 });

  async function listsAll(models: ReadModels): Promise<void> {
    await models.waitUntilCaughtUp();
    for (const name of PROJECTIONS) expect((await models.check(name)).difference).toBeUndefined();
    expect((await transactionsOf(models)).items.length).toBeGreaterThan(0);
    for (const { status } of await models.status()) expect(status).toBe('Live');
  }

  it('undamaged lists log nothing', () => expect(loggedUndamaged).toEqual([]));

  describe.each(Object.entries(DAMAGES))('at a start: %s', (_kind, damage) => {
    it('a list is set aside and logged, and the list is rebuilt', async () => {
      const file = fileOf('transactions');
      damage(file);
      const models = await open();
      expect(warnings()).toEqual([
        { file, movedTo: expect.stringContaining(`${file}.damaged-`), reason: expect.any(String) },
      ]);
      expect(existsSync(String(warnings()[0]?.['movedTo']))).toBe(true);
      // The list does not answer while rows are missing.
      await expect(transactionsOf(models)).rejects.toThrow(ReadModelUnavailable);
      await models.start();
      await listsAll(models);
      expect(warnings()).toHaveLength(1);
    });

    it('the control database is set aside and logged, and all lists are rebuilt', async () => {
      const file = join(place.folder, 'control.db');
      damage(file);
      const models = await open();
      expect(warnings()).toMatchObject([{ file, movedTo: expect.stringContaining(`${file}.damaged-`) }]);
      await models.start();
      await listsAll(models);
      expect(warnings()).toHaveLength(1);
    });
  });

  it('a missing control database is logged, and no list answers before it is rebuilt', async () => {
    const file = join(place.folder, 'control.db');
    rmSync(file);
    const models = await open();
    expect(warnings()).toEqual([{ file, reason: 'it is missing, and lists are beside it' }]);
    await expect(transactionsOf(models)).rejects.toThrow(ReadModelUnavailable);
    await models.start();
    await listsAll(models);
    expect(warnings()).toHaveLength(1);
  });

  describe('while the service runs', () => {
    it('a damaged list returns no row and is rebuilt; the other lists still answer', async () => {
      const models = await open();
      const file = fileOf('transactions');
      overwriteAll(file);
      await expect(transactionsOf(models)).rejects.toThrow('its file was damaged and it is being made again');
      expect(warnings()).toMatchObject([{ file }]);
      expect((await models.status()).find(({ name }) => name === 'transactions')?.status).toBe('Rebuilding');
      expect((await models.queries.merchants.list({ limit: 100 })).items.length).toBeGreaterThan(0);
      const append = await nextAppend(histories);
      await models.writer.writeThrough(append.category, append);
      await models.start();
      await listsAll(models);
      expect(logged.map(([event]) => event)).toEqual(['list-damaged', 'rebuild-began', 'rebuild-ended']);
    });

    it('a writer finds the damage too', async () => {
      const models = await open();
      overwriteAll(fileOf('transactions'));
      const payments = new RandomHistories(store, seededChoice(3), { from: 400, categories: ['payment'] });
      const append = await nextAppend(payments);
      await models.writer.writeThrough('payment', append);
      expect(warnings()).toHaveLength(1);
      await models.start();
      await models.waitUntilCaughtUp();
      expect(await isListed(models, appendedOperationId(append))).toBe(true);
    });

    it('several instances that find the damage at once set the file aside once', async () => {
      const models = [await open(), await open(), await open()];
      for (const one of models) await one.start();
      overwriteAll(fileOf('transactions'));
      await Promise.allSettled(models.map(transactionsOf));
      await Promise.all(models.map((one) => one.waitUntilCaughtUp()));
      for (const one of models) expect((await transactionsOf(one)).items.length).toBeGreaterThan(0);
      expect(warnings()).toHaveLength(1);
      expect(setAsideNow()).toHaveLength(1);
    });

    it('an instance that finds the damage after the rebuild changes nothing', async () => {
      const late = new ControlDatabase(place.folder, '', { warn: () => logged.push(['late', {}]) });
      const live = late.live('transactions');
      const models = await open();
      overwriteAll(fileOf('transactions'));
      await expect(transactionsOf(models)).rejects.toThrow(ReadModelUnavailable);
      await models.start();
      await models.waitUntilCaughtUp();
      const again = late.live('transactions');
      late.setAside(live as never, 'found late');
      expect(late.live('transactions')).toEqual(again);
      expect([setAsideNow().length, logged.filter(([event]) => event === 'late')]).toEqual([1, []]);
      late.close();
    });

    it('a damaged control database is replaced once, and every instance opens the new one', async () => {
      const models = [await open(), await open()];
      for (const one of models) await one.start();
      DAMAGES['a file of garbage']?.(join(place.folder, 'control.db'));
      const third = await open();
      await third.start();
      for (const one of [...models, third]) await listsAll(one);
      expect(warnings()).toHaveLength(1);
    });
  });

  it('a wrong statement is not damage: the list stays', () => {
    const control = new ControlDatabase(place.folder, '', { warn: () => logged.push(['set aside', {}]) });
    const live = control.live('transactions');
    const error = Object.assign(new Error('no such column: misspelt'), { code: 'SQLITE_ERROR' });
    expect(setAsideIfDamaged(control, live as never, error)).toBe(false);
    expect(control.live('transactions')).toEqual(live);
    control.close();
  });

  it('a command that only reads leaves a damaged file in place, and its error names the file', async () => {
    for (const name of ['transactions', 'control']) {
      const file = fileOf(name);
      DAMAGES['a file of garbage']?.(file);
      const looked = open({ keepDamaged: true }).then(transactionsOf);
      // The driver's errors may be of another realm's class.
      await expect(looked).rejects.toMatchObject({ message: expect.stringContaining(file) });
    }
    expect([warnings(), setAsideNow()]).toEqual([[], []]);
  });

  it('the newest five are kept', async () => {
    const damaged: string[] = [];
    for (let round = 0; round < 7; round++) {
      damaged.push(fileOf('transactions'));
      DAMAGES['an empty file']?.(damaged.at(-1) ?? '');
      const models = await open();
      await models.start();
      await models.waitUntilCaughtUp();
      await stopAll();
    }
    const kept = setAsideNow().map((name) => join(place.folder, name.replace(/\.damaged-.*/, '')));
    expect(kept.sort()).toEqual(damaged.slice(2).sort());
  });
});

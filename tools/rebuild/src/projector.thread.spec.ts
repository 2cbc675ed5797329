import { join } from 'node:path';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { RebuildRefused, type ReadModels, type RebuildProgress } from '@tillstream/read-models';
import { seededChoice, RandomHistories, MERCHANTS } from '@tillstream/read-models/testing';
import { openReadModels } from '@tillstream/read-models-sqlite';
import { newFolder } from '@tillstream/read-models-sqlite/testing';

const THREAD = new URL('../fixtures/projector.mjs', import.meta.url);

describe('projecting in a thread of its own, over the embedded store', () => {
  let place: ReturnType<typeof newFolder>;
  let store: SqliteEventStore;
  let models: ReadModels;
  let lives: RandomHistories;

  beforeEach(async () => {
    place = newFolder();
    const file = join(place.folder, 'events.db');
    store = await openSqliteEventStore({ file });
    lives = new RandomHistories(store, seededChoice(31), { streams: 900 });
    models = await openReadModels({
      directory: join(place.folder, 'read-models'),
      store,
      projectorThread: { file: THREAD, store: file },
    });
  });
  afterEach(async () => {
    await models.stop();
    await store.close();
    place.remove();
  });

  it('lists what happens, goes on where it was after a restart, and equals what history gives', async () => {
    await lives.run(100);
    await models.start();
    await lives.run(100);
    await models.waitUntilCaughtUp();
    const { items } = await models.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 100 });
    expect(items.length).toBeGreaterThan(10);
    for (const { name, status, lagEvents } of await models.status()) {
      expect([name, status, lagEvents]).toEqual([name, 'Live', 0]);
      expect((await models.check(name)).difference).toBeUndefined();
    }
  });

  it('is woken by what others append: that is listed a second later, and not when it polls', async () => {
    await models.start();
    await models.waitUntilCaughtUp();
    const waits: number[] = [];
    while (waits.length < 4) {
      if ((await lives.appendNext()) === undefined) continue;
      const since = performance.now();
      await models.waitUntilCaughtUp();
      waits.push(performance.now() - since);
    }
    // It gathers for 1 s. Without being woken it would take 1 to 3 s.
    expect(Math.max(...waits)).toBeLessThan(1_900);
  });

  it('rebuilds in the thread, reports its progress, and stops at an abort', async () => {
    await lives.run(300);
    await models.start();
    const phases = new Set<string>();
    const running = new Set<string>();
    const onProgress = ({ phase }: RebuildProgress): void => {
      phases.add(phase);
      for (const { projection } of models.runningRebuilds()) running.add(projection);
    };
    const rebuilt = await models.rebuild('transactions', { onProgress });
    expect([...running]).toEqual(['transactions']);
    expect(rebuilt.events).toBeGreaterThan(100);
    expect(phases).toContain('Reading');
    expect(models.runningRebuilds()).toEqual([]);
    const stop = new AbortController();
    const aborted = models.rebuild('transactions', { signal: stop.signal });
    const refused = models.rebuild('transactions');
    stop.abort(new Error('enough'));
    await expect(refused).rejects.toThrow(RebuildRefused);
    await expect(aborted).rejects.toThrow('enough');
  });

  it('does not hold up the thread that asked for it', async () => {
    await lives.run(400);
    await models.start();
    let turns = 0;
    const watch = setInterval(() => (turns += 1), 2);
    await models.rebuild('transactions');
    clearInterval(watch);
    // Made here, it would leave this thread a turn between pages at most.
    expect(turns).toBeGreaterThan(10);
  });

  it('a start without the built thread says what to do', async () => {
    const other = await openReadModels({
      directory: join(place.folder, 'others'),
      store,
      projectorThread: { file: new URL('../fixtures/nowhere.mjs', import.meta.url), store: '' },
    });
    await expect(other.start()).rejects.toThrow('is missing: build it first');
    await other.stop();
  });

  it('a store that can not be opened there fails the start', async () => {
    const other = await openReadModels({
      directory: join(place.folder, 'others'),
      store,
      projectorThread: { file: THREAD, store: join(place.folder, 'nowhere', 'events.db') },
    });
    await expect(other.start()).rejects.toThrow('the thread of projections did not start');
    await other.stop();
  });
});

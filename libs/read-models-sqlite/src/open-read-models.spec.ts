import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryEventStore, type EventStore } from '@tillstream/event-store';
import { ControlDatabase } from './generations/control.database.js';
import { openReadModels } from './open-read-models.js';
import {
  PROJECTIONS,
  type ReadModels,
  ReadModelUnavailable,
  shapeOf,
  type TableShape,
  type WrittenStream,
} from '@tillstream/read-models';
import { choosing, type Happened, Lives, MERCHANTS } from '@tillstream/read-models/testing';
import { GenerationFile } from './tables/generation.file.js';
import { openFile } from './tables/sqlite.dialect.js';
import { newFolder } from './testing/folder.testing.js';

type Told = [event: string, fields: Readonly<Record<string, unknown>>];

describe('read models', () => {
  let place: ReturnType<typeof newFolder>;
  let store: MemoryEventStore;
  let lives: Lives;
  let models: ReadModels;
  let told: Told[];
  const opened: ReadModels[] = [];

  beforeEach(() => {
    place = newFolder();
    store = new MemoryEventStore();
    lives = new Lives(store, choosing(23), { streams: 5_000, categories: ['payment'] });
    told = [];
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.stop();
    place.remove();
  });

  async function open(from: EventStore = store): Promise<ReadModels> {
    const log = {
      info: (...one: Told) => void told.push(one),
      failed: (...one: Told) => void told.push(one),
    };
    models = await openReadModels({ directory: place.folder, store: from, log });
    opened.push(models);
    return models;
  }

  async function something(): Promise<Happened> {
    for (;;) {
      const one = await lives.next();
      if (one) return one;
    }
  }

  const written = ({ stream, state, appended }: Happened) =>
    ({ stream, state, events: appended }) as WrittenStream;
  const idOf = ({ appended }: Happened): string => String(appended[0]?.data['operationId']);
  const isListed = async (from: ReadModels, id: string): Promise<boolean> => {
    const both = MERCHANTS.map((merchantId) =>
      from.queries.transactions.list({ merchantId, filters: { id: [id] }, limit: 1 }),
    );
    return (await Promise.all(both)).some(({ items }) => items[0]?.id === id);
  };

  it('are opened while another process changes which are live: what was made once needs no lock', () => {
    new ControlDatabase(place.folder).close();
    const other = openFile(join(place.folder, 'control.db'), 'writer');
    other.exec('BEGIN IMMEDIATE');
    new ControlDatabase(place.folder).close();
    other.close();
  });

  it('what was written through is in the list at once, on every instance, without a projector', async () => {
    const other = await open();
    await open();
    for (let round = 0; round < 50; round++) {
      const one = await something();
      await models.writer.writeThrough('payment', written(one));
      expect(await isListed(other, idOf(one))).toBe(true);
    }
  });

  it('what nobody wrote through is listed soon after it happened', async () => {
    await (await open()).start();
    await lives.live(100);
    const one = await something();
    await models.caughtUp();
    expect(await isListed(models, idOf(one))).toBe(true);
  });

  it('several writers on several instances read their writes while generations are swapped again and again', async () => {
    await lives.live(200);
    const instances = [await open(), await open()];
    let swaps = 0;
    let writing = 4;
    const swapping = (async () => {
      for (; writing > 0; swaps++) await models.rebuild('transactions');
    })();
    const write = async (writer: number): Promise<number> => {
      const [mine, other] = writer % 2 === 0 ? instances : instances.toReversed();
      const own = new Lives(store, choosing(writer), {
        streams: 500,
        from: 5_000 + writer * 1_000,
        categories: ['payment'],
      });
      let writes = 0;
      for (; swaps < 3; await pause(writes % 3)) {
        const one = await own.next();
        if (!one || !mine || !other) continue;
        await mine.writer.writeThrough('payment', written(one));
        if (!(await isListed(other, idOf(one))))
          throw new Error(`${idOf(one)} is not listed after ${swaps} swaps`);
        writes += 1;
      }
      writing -= 1;
      return writes;
    };
    const writes = await Promise.all([1, 2, 3, 4].map(write));
    await swapping;
    expect(Math.min(...writes)).toBeGreaterThan(10);
    expect(told).toEqual([]);
    expect((await models.check('transactions')).difference).toBeUndefined();
  }, 60_000);

  it('a row that can not be written is told, and nobody is refused', async () => {
    await open();
    const one = await something();
    const broken = { ...written(one), state: { ...(one.state as object), operations: undefined } };
    await models.writer.writeThrough('payment', broken as never);
    expect(told).toEqual([['row-not-written', { stream: one.stream, reason: expect.any(String) as string }]]);
  });

  it('after a stop nothing is lost: the next start goes on where this one was', async () => {
    await (await open()).start();
    await lives.live(60);
    await models.caughtUp();
    await models.stop();
    await lives.live(60);
    await (await open()).start();
    await models.caughtUp();
    const transactions = (await models.status()).find(({ name }) => name === 'transactions');
    expect(transactions).toMatchObject({ status: 'Live', lagEvents: 0 });
    expect((await models.check('transactions')).difference).toBeUndefined();
  });

  it('is caught up with a head though others append behind it', async () => {
    await (await open()).start();
    await lives.live(60);
    const head = await store.head();
    await models.caughtUp(head);
    await models.stop();
    // Nothing projects any more.
    await open();
    await lives.live(20);
    await models.caughtUp(head);
    const transactions = (await models.status()).find(({ name }) => name === 'transactions');
    expect(transactions?.lagEvents).toBeGreaterThan(0);
    const newer = models.caughtUp(await store.head()).then(() => 'caught up');
    expect(await Promise.race([newer, pause(100, 'waits')])).toBe('waits');
    await models.start();
    expect(await newer).toBe('caught up');
  });

  it('tells the lag, and what halts a projection; the others go on', async () => {
    await open();
    const { stream, events } = await something();
    const unknown = { id: crypto.randomUUID(), type: 'Foreseen', data: {}, metadata: { schemaVersion: 1 } };
    await store.append({ stream, expected: events.length - 1, events: [unknown] });
    const status = async () => (await models.status()).find(({ name }) => name === 'transactions');
    expect(await status()).toMatchObject({ status: 'Live', lagEvents: events.length + 1 });
    await models.start();
    while ((await status())?.status !== 'Halted') await pause(10);
    expect((await status())?.reason).toContain('Foreseen');
    expect(told.map(([event]) => event)).toEqual(['projection-halted']);
    const live = (await models.status()).filter((one) => one.status === 'Live');
    expect(live).toHaveLength(PROJECTIONS.length - 1);
    // Halted ones are not waited for.
    await models.caughtUp();
  });

  it('only one of several projects; another goes on when it stops', async () => {
    const first = await open();
    const second = await open();
    await first.start();
    await second.start();
    await lives.live(50);
    await second.caughtUp();
    await first.stop();
    await lives.live(50);
    await second.caughtUp();
    expect((await second.check('transactions')).difference).toBeUndefined();
  });

  describe('made by another version of this program', () => {
    async function madeBy(shape: TableShape): Promise<void> {
      await (await open()).stop();
      const control = new ControlDatabase(place.folder);
      const generation = control.begin(shape, 'somebody', 0);
      GenerationFile.create(control.fileOf(generation), shapeOf('transactions'), { bulk: false }).close();
      control.announce(generation, 0);
      control.swap(generation, 0);
      control.close();
    }

    it('older rows are made anew in the background, and answer meanwhile', async () => {
      await madeBy({ ...shapeOf('transactions'), rowsVersion: 0 });
      await lives.live(40);
      const one = await something();
      await open();
      await models.writer.writeThrough('payment', written(one));
      expect(await isListed(models, idOf(one))).toBe(true);
      await models.start();
      while (!told.some(([event]) => event === 'rebuild-ended')) await pause(10);
      expect(await isListed(models, idOf(one))).toBe(true);
      expect(told.map(([event]) => event)).toEqual(['rebuild-began', 'rebuild-ended']);
    });

    it('older tables can not answer until they are made anew', async () => {
      await madeBy({ ...shapeOf('transactions'), layout: 0 });
      await open();
      const list = async () => models.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 1 });
      await expect(list()).rejects.toThrow(ReadModelUnavailable);
      await models.start();
      while (!told.some(([event]) => event === 'rebuild-ended')) await pause(10);
      expect((await list()).items).toEqual([]);
    });

    it('rows made from another store are made anew from this one', async () => {
      await (await open()).stop();
      await lives.live(40);
      const one = await something();
      models = await openReadModels({ directory: place.folder, store, source: 'elsewhere' });
      opened.push(models);
      await models.start();
      await models.caughtUp();
      expect(await isListed(models, idOf(one))).toBe(true);
    });

    it('newer rows are read, and left to the newer program', async () => {
      await madeBy({ ...shapeOf('transactions'), rowsVersion: 99 });
      await (await open()).start();
      const one = await something();
      await models.writer.writeThrough('payment', written(one));
      await pause(250);
      expect(await isListed(models, idOf(one))).toBe(false);
      expect(told).toEqual([]);
    });
  });

  it('a check names the first row that is not what history gives', async () => {
    await (await open()).start();
    await lives.live(60);
    await models.caughtUp();
    await models.stop();
    const control = new ControlDatabase(place.folder);
    const live = control.live('transactions');
    const file = GenerationFile.open(control.fileOf(live as never), shapeOf('transactions'));
    const [row] = file.page('', 1);
    const forged =
      row?.map((value, index) => (index === 1 ? Number(value) + 1 : index === 4 ? 'Forged' : value)) ?? [];
    file.transaction(() => file.write([forged]));
    file.close();
    control.close();
    await open();
    const { difference } = await models.check('transactions');
    expect(difference).toMatchObject({
      id: row?.[0],
      columns: expect.arrayContaining(['status']) as string[],
    });
  }, 60_000);
});

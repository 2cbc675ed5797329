import {
  categoryContributions,
  touchedRows,
  type RowSet,
  RebuildRefused,
  tableShape,
} from '@tillstream/read-models';
import {
  nextAppend,
  seededChoice,
  type RandomAppend,
  RandomHistories,
} from '@tillstream/read-models/testing';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryEventStore } from '@tillstream/event-store';
import { buildLease } from '../generations/generation.build.js';
import { cleanUpGenerations } from '../generations/generation.build.js';
import { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { newHolder, SqliteLeases } from '../generations/sqlite.leases.js';
import { OpenGenerations } from '../generations/open.generations.js';
import { GenerationFile } from '../tables/generation.file.js';
import { newFolder } from '../testing/folder.testing.js';
import { RowWriter } from '../writer/row.writer.js';
import { build, rebuild } from './rebuild.js';

const shape = tableShape('transactions');

describe('a rebuild', () => {
  let place: ReturnType<typeof newFolder>;
  let control: ControlDatabase;
  let store: MemoryEventStore;
  let histories: RandomHistories;

  beforeEach(() => {
    place = newFolder();
    control = new ControlDatabase(place.folder);
    control.ensureLive(shape, (file) => GenerationFile.create(file, shape));
    store = new MemoryEventStore();
    histories = new RandomHistories(store, seededChoice(11), { streams: 10_000, categories: ['payment'] });
  });
  afterEach(() => {
    control.close();
    place.remove();
  });

  const parts = () => ({ store, control, pageSize: 20 });
  const live = (): Generation => control.live('transactions') as Generation;
  const files = (): string[] =>
    readdirSync(place.folder).filter((name) => /^transactions-\d+\.db$/.test(name));

  function liveIds(): string[] {
    const file = GenerationFile.open(control.fileOf(live()), shape);
    const ids = file.page('', 10_000).map(({ id }) => id);
    file.close();
    return ids;
  }

  function setsOf(append: RandomAppend): RowSet[] {
    const written = { ...append, events: append.appended };
    return categoryContributions(append.category).map(([projection, contribution]) => ({
      projection,
      rows: touchedRows(contribution, written),
    }));
  }

  const idOf = ({ appended }: RandomAppend): string => String(appended[0]?.data['operationId']);

  it('makes a new generation from history and swaps; the old one retires', async () => {
    await histories.run(100);
    const before = live();
    const seen: string[] = [];
    const result = await rebuild(parts(), 'transactions', { onProgress: ({ phase }) => seen.push(phase) });
    expect(live().generation).toBe(result.generation);
    expect(liveIds()).toHaveLength(result.rows);
    expect(result.rows).toBeGreaterThan(20);
    expect([...new Set(seen)]).toEqual(['Reading', 'Indexing', 'CatchingUp', 'Swapping']);
    expect(control.generations().find((one) => one.generation === before.generation)?.status).toBe('Retired');
  });

  describe('an acknowledged row is in the live generation, whenever in a rebuild it is written', () => {
    /** All orders of the writer's two steps and the builder's three. */
    const ORDERS = [0, 1, 2, 3].flatMap((append) =>
      [0, 1, 2, 3].filter((write) => write >= append).map((write) => [append, write] as const),
    );

    it.each(ORDERS)('appended after %s of its steps, written after %s', async (appendAfter, writeAfter) => {
      await histories.run(30);
      const writer = new RowWriter(place.folder, { warn: () => undefined });
      let append: RandomAppend | undefined;
      const writersTurn = async (done: number): Promise<void> => {
        if (done === appendAfter) append = await nextAppend(histories);
        if (done === writeAfter && append) expect(writer.write(setsOf(append)).failures).toEqual([]);
        if (done >= writeAfter && append) expect(liveIds()).toContain(idOf(append));
      };
      await build(parts(), 'transactions', {}, async ({ generation, table, fold }) => {
        const steps = [
          () => control.announce(generation),
          () => fold.catchUp(table),
          () => control.swap(generation),
        ];
        await writersTurn(0);
        for (const [index, step] of steps.entries()) {
          await step();
          await writersTurn(index + 1);
        }
      });
      expect(liveIds()).toContain(idOf(append as RandomAppend));
      writer.close();
    });

    it('written between the last read of the builder and its announcement', async () => {
      await histories.run(30);
      const writer = new RowWriter(place.folder, { warn: () => undefined });
      let append: RandomAppend | undefined;
      let ends = 0;
      const seeing = Object.create(store) as MemoryEventStore;
      seeing.readAll = async (options) => {
        const page = await store.readAll(options);
        // The first end of the store precedes the indexes, the second one the announcement.
        if (page.end && ++ends === 2) {
          append = await nextAppend(histories);
          expect(writer.write(setsOf(append)).failures).toEqual([]);
        }
        return page;
      };
      await rebuild({ ...parts(), store: seeing }, 'transactions');
      expect(liveIds()).toContain(idOf(append as RandomAppend));
      writer.close();
    });

    it('written by a writer that was paused between finding the generations and writing, for a whole rebuild', async () => {
      await histories.run(30);
      const append = await nextAppend(histories);
      const looking = new ControlDatabase(place.folder);
      const open = new OpenGenerations(looking);
      const seen = open.writable('transactions').map((generation) => open.fileOf(generation));
      await rebuild(parts(), 'transactions');
      for (const file of seen) {
        for (const { rows } of setsOf(append)) file.write(rows);
      }
      expect(liveIds()).toContain(idOf(append));
      open.close();
      looking.close();
    });
  });

  it.each(['Reading', 'Indexing', 'CatchingUp'] as const)(
    'aborted while %s leaves the live generation unchanged, and no file',
    async (aborted) => {
      await histories.run(200);
      const before = live();
      const stop = new AbortController();
      const rebuilding = rebuild(parts(), 'transactions', {
        signal: stop.signal,
        onProgress: ({ phase }) => phase === aborted && stop.abort(new Error('enough')),
      });
      await expect(rebuilding).rejects.toThrow('enough');
      expect(live()).toEqual(before);
      expect(files()).toEqual([`transactions-${before.generation}.db`]);
    },
  );

  it('is refused while another rebuild of the projection is running', async () => {
    await histories.run(20);
    await build(parts(), 'transactions', {}, async () => {
      await expect(rebuild(parts(), 'transactions')).rejects.toThrow(RebuildRefused);
    });
    await expect(rebuild(parts(), 'transactions')).resolves.toMatchObject({ projection: 'transactions' });
  });

  it('does not swap after its lease has run out', async () => {
    await histories.run(20);
    const before = live();
    const late = build(parts(), 'transactions', {}, async ({ generation }) => {
      const holder = generation.builder;
      await new SqliteLeases(control, holder).release(buildLease('transactions'));
      cleanUpGenerations(control);
      expect(control.announce(generation)).toBe(false);
      expect(control.swap(generation)).toBe(false);
    });
    await late;
    expect(live()).toEqual(before);
  });

  it('leaves files if it dies, which a cleanup removes', () => {
    const died = control.startBuilding(shape, newHolder());
    GenerationFile.createBulk(control.fileOf(died), shape).close();
    GenerationFile.createBulk(join(place.folder, 'transactions-77.db'), shape).close();
    cleanUpGenerations(control);
    expect(files()).toEqual([`transactions-${live().generation}.db`]);
    expect(existsSync(join(place.folder, 'control.db'))).toBe(true);
  });

  it('retires files that are removed after a minute, and never uses a number again', async () => {
    const first = live().generation;
    const { generation } = await rebuild(parts(), 'transactions');
    cleanUpGenerations(control);
    expect(files()).toHaveLength(2);
    cleanUpGenerations(control, Date.now() + 61_000);
    expect(files()).toEqual([`transactions-${generation}.db`]);
    expect((await rebuild(parts(), 'transactions')).generation).toBeGreaterThan(generation);
    expect(generation).toBeGreaterThan(first);
  });

  it('is not needed for a live generation whose file is missing: an empty one replaces it', () => {
    const lost = live();
    rmSync(control.fileOf(lost));
    control.ensureLive(shape, (file) => GenerationFile.create(file, shape));
    expect(live().generation).toBeGreaterThan(lost.generation);
  });
});

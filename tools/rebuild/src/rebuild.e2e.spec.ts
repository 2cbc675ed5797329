import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { PROJECTIONS, type ReadModels, type WrittenStream } from '@tillstream/read-models';
import { seededChoice, RandomHistories, MERCHANTS, type RandomAppend } from '@tillstream/read-models/testing';
import { openReadModels } from '@tillstream/read-models-sqlite';
import { newFolder } from '@tillstream/read-models-sqlite/testing';
import { rebuildCommand } from './rebuild.command.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** 960, as ids end: from it on operations are the service's own, which no list shows. */
const FIRST_OWN_NUMBER = 'Y0';

describe('rebuild', () => {
  let place: ReturnType<typeof newFolder>;
  let store: SqliteEventStore;
  let models: ReadModels;

  beforeEach(async () => {
    place = newFolder();
    store = await openSqliteEventStore({ file: join(place.folder, 'events.db') });
    const directory = join(place.folder, 'read-models');
    models = await openReadModels({ directory, store, source: 'sqlite' });
  });
  afterEach(async () => {
    await models.stop();
    await store.close();
    place.remove();
  });

  const lives = (seed: number) =>
    new RandomHistories(store, seededChoice(seed), { streams: 900, from: (seed % 10) * 900 });
  const liveFile = (): string[] =>
    readdirSync(join(place.folder, 'read-models')).filter((name) => /^transactions-\d+\.db$/.test(name));

  it('makes one list or all of them anew, and says how much and how fast', async () => {
    await lives(1).run(150);
    const one = await run(['--projection', 'transactions', place.folder]);
    expect(one).toMatchObject({ code: 0, errors: [] });
    expect(one.lines).toEqual([
      expect.stringMatching(
        /^transactions: \d+ rows from \d+ events in [\d.]+ s \([\d,]+ events\/s\); live now$/,
      ),
    ]);
    const all = await run(['--all', join(place.folder, 'events.db')]);
    expect(all).toMatchObject({ code: 0, errors: [] });
    expect(all.lines.map((line) => line.split(':')[0])).toEqual([...PROJECTIONS]);
    const { items } = await models.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 10 });
    expect(items).toHaveLength(10);
  });

  it('--check is content with what was written as it came, and changes nothing', async () => {
    await lives(2).run(80, (one) => writeThrough(models, one));
    const before = liveFile();
    expect(await run(['--all', '--check'], { DATA_DIR: place.folder })).toMatchObject({
      code: 0,
      lines: expect.arrayContaining([expect.stringMatching(/^transactions: all \d+ rows equal/)]) as string[],
    });
    expect(liveFile()).toEqual(before);
  });

  it('--check makes no lists where there are none, and ends with 2', async () => {
    const bare = join(place.folder, 'bare');
    mkdirSync(bare);
    const { code, errors } = await run(['--all', '--check', bare]);
    expect([code, errors[0]]).toEqual([2, expect.stringContaining('there are no lists in')]);
    expect(readdirSync(bare)).toEqual([]);
  });

  it('--check names the first row that differs, and ends with 1', async () => {
    await lives(8).run(5, (one) => writeThrough(models, one));
    const other = await openSqliteEventStore({ file: join(place.folder, 'other.db') });
    await lives(6).run(5);
    // Rows of payments that are not in the service's own store.
    await new RandomHistories(other, seededChoice(3), { categories: ['payment'] }).run(10, (one) =>
      writeThrough(models, one),
    );
    await other.close();
    const { code, errors } = await run(['--projection', 'transactions', '--check', place.folder]);
    expect(code).toBe(1);
    expect(errors[0]).toMatch(
      /^transactions: NOT EQUAL\. Row trx_\w{26} is in the live list, and the events give none/,
    );
  });

  it('runs beside a service that goes on writing: every row that was acknowledged is listed, before and after', async () => {
    await lives(4).run(200, (one) => writeThrough(models, one));
    await models.start();
    const child = start('--projection', 'transactions', place.folder);
    const writer = lives(5);
    let writes = 0;
    while (child.process.exitCode === null) {
      const one = await writer.appendNext();
      if (!one) continue;
      await writeThrough(models, one);
      writes += 1;
      const operationId = String(one.appended[0]?.data['operationId']);
      if (one.category === 'payment' && operationId.slice(-2) < FIRST_OWN_NUMBER)
        expect([one.appended[0]?.type, await isListed(operationId)]).toEqual([expect.any(String), true]);
    }
    expect([await child.ended, writes > 20]).toEqual([0, true]);
    expect((await run(['--projection', 'transactions', '--check', place.folder])).code).toBe(0);
  }, 150_000);

  it('kill -9 at any moment leaves the live list as it was, and the next rebuild leaves one file', async () => {
    await lives(6).run(1_000, (one) => writeThrough(models, one));
    const before = liveFile();
    for (let round = 0; round < 4; round++) {
      const child = start('--projection', 'transactions', place.folder);
      await untilBuilding(before.length);
      await pause(round * 25);
      child.process.kill('SIGKILL');
      await child.ended;
      const { items } = await models.queries.transactions.list({ merchantId: MERCHANTS[0], limit: 100 });
      expect(items).toHaveLength(100);
    }
    expect(await run(['--projection', 'transactions', '--check', place.folder])).toMatchObject({ code: 0 });
    // The check removed what the dead left behind; what was live before a swap stays for a minute.
    expect(liveFile().length).toBeLessThanOrEqual(5);
    expect((await run(['--projection', 'transactions', place.folder])).code).toBe(0);
  }, 150_000);

  it.each([
    [['--projection', 'nonsense'], "option '--projection <name>' argument 'nonsense' is invalid"],
    [['--projection', 'nonsense'], 'Allowed are transactions, tokens,'],
    [['--projection'], "option '--projection <name>' argument missing"],
    [[], 'name projections with --projection, or take --all'],
    [['--all', '--projection', 'tokens'], "'--all' cannot be used with option '--projection <name>'"],
    [['--all', 'one', 'two'], 'too many arguments. Expected 1 argument but got 2.'],
    [['--fast'], "unknown option '--fast'"],
  ])('refuses %j and shows how it is used', async (args, complaint) => {
    const { code, errors } = await run(args);
    expect([code, errors[0]]).toEqual([2, expect.stringContaining(complaint)]);
    expect(errors[0]).toContain('Usage: npm run rebuild -- [options] [directory]');
  });

  it('ends with 2 where there is nothing to rebuild from', async () => {
    const { code, errors } = await run(['--all', join(place.folder, 'nowhere')]);
    expect([code, errors]).toEqual([
      2,
      [expect.stringMatching(/^It could not be done: there is no data directory/)],
    ]);
  });

  it('explains itself', async () => {
    expect(await run(['--help'])).toEqual({
      code: 0,
      lines: [expect.stringMatching(/--projection <name>[^]*Names of projections: transactions, tokens/)],
      errors: [],
    });
  });

  async function isListed(id: string): Promise<boolean> {
    for (const merchantId of MERCHANTS) {
      const { items } = await models.queries.transactions.list({
        merchantId,
        filters: { id: [id] },
        limit: 1,
      });
      if (items.length > 0) return true;
    }
    return false;
  }

  async function untilBuilding(files: number): Promise<void> {
    while (liveFile().length <= files) await pause(2);
  }

  function start(...args: string[]) {
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    return { process: child, ended: once(child, 'close').then(([code]: unknown[]) => code) };
  }
});

async function writeThrough(
  models: ReadModels,
  { category, stream, state, appended }: RandomAppend,
): Promise<void> {
  await models.writer.writeThrough(category, {
    stream,
    state,
    events: appended,
  } as unknown as WrittenStream);
}

async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const errors: string[] = [];
  const terminal = {
    line: (text: string) => void lines.push(text),
    error: (text: string) => void errors.push(text),
  };
  return { code: await rebuildCommand(args, environment, terminal), lines, errors };
}

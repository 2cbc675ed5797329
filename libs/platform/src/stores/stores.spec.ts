import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newEventId } from '@tillstream/event-store';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { readConfig, type Config } from '../configuration/config.js';
import { openSettlementAdapters } from '../adapters.js';
import { noLog } from '../logging/log.js';
import { createStores, withStores, type Stores, type StoresOptions } from './stores.js';

const someEvent = () => ({
  stream: `merchant-${newEventId()}`,
  expected: 'none' as const,
  events: [{ id: newEventId(), type: 'Noted', data: {}, metadata: {} }],
});
const notFound = (sentence: RegExp): unknown =>
  expect.objectContaining({ name: 'StoreNotFound', message: expect.stringMatching(sentence) });

describe.each(['sqlite', 'eventstoredb'] as const)('Stores with their events in %s', (eventStore) => {
  let folder = '';
  let dataDir = '';
  let server: EventStoreDbDouble;
  const opened: Stores[] = [];

  beforeAll(async () => {
    server = await startEventStoreDbDouble();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-stores-'));
    dataDir = join(folder, 'data');
  });
  afterEach(async () => {
    await closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const config = (): Config =>
    readConfig({ DATA_DIR: dataDir, EVENT_STORE: eventStore, EVENTSTOREDB_URL: server.url });
  const stores = (access: StoresOptions['access'], settings = config()): Stores => {
    const some = createStores(settings, { access });
    opened.push(some);
    return some;
  };
  const closeAll = async (): Promise<void> => {
    for (const stores of opened.splice(0)) await stores.close();
  };
  /** Without the files that SQLite keeps beside an open file. */
  const files = (): string[] =>
    readdirSync(dataDir, { recursive: true })
      .map(String)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .sort();

  it('are opened on demand, once, and only with the stores that they need', async () => {
    const some = stores('serve');
    expect(existsSync(dataDir)).toBe(false);
    const [first, second] = await Promise.all([some.events(), some.events()]);
    expect(first).toBe(second);
    await some.clock();
    await some.workQueue();
    expect(files()).toEqual(['events.db']);
    await some.vault();
    expect(files()).toEqual(['events.db', 'vault.db', 'vault.keys']);
  });

  it('of settlement have no vault and no ledger', async () => {
    const adapters = await openSettlementAdapters(config(), noLog);
    await adapters.close();
    expect(files().filter((name) => !name.startsWith('read-models'))).toEqual(['events.db']);
  });

  it('are all closed, also after a rejection', async () => {
    const failing = withStores(config(), { access: 'serve' }, async (some) => {
      const store = await some.events();
      await some.vault();
      throw Object.assign(new Error('enough'), { store });
    });
    const { store } = await failing.then(
      () => Promise.reject(new Error('it did not fail')),
      (error: Error & { store: Awaited<ReturnType<Stores['events']>> }) => error,
    );
    await expect(store.append(someEvent())).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('are not created by a command', async () => {
    for (const access of ['read', 'write'] as const) {
      for (const name of ['events', 'workQueue', 'clock', 'vault', 'readModels'] as const) {
        await expect(stores(access)[name]()).rejects.toEqual(notFound(/^There is no [^\n]+\.$/));
      }
    }
    expect(existsSync(dataDir)).toBe(false);
    const service = stores('serve');
    await (await service.events()).append(someEvent());
    await service.clockOffset();
    const before = files();
    await expect(stores('read').vault()).rejects.toEqual(notFound(/^There is no vault in DATA_DIR/));
    await expect(stores('read').readModels()).rejects.toEqual(notFound(/^There are no lists in DATA_DIR/));
    expect(files()).toEqual(before);
  });

  it('are the same in a command as in the service', async () => {
    const service = stores('serve');
    await (await service.events()).append(someEvent());
    await (await service.clockOffset()).advance(3_600);
    const clock = await stores('read').clock();
    expect(clock.now() - clock.realNow()).toEqual(expect.closeTo(3_600_000, -2));
    expect(await (await stores('read').workQueue()).checkpoint()).toBeUndefined();
    await (await stores('write').events()).append(someEvent());
    expect((await (await stores('read').events()).readAll()).events.length).toBeGreaterThanOrEqual(2);
    if (eventStore === 'sqlite') {
      await expect((await stores('read').events()).append(someEvent())).rejects.toThrow('read only');
    }
  });

  it('have only real time in live mode, also if a sandbox moved the clock', async () => {
    await (await stores('serve').clockOffset()).advance(3_600);
    await closeAll();
    const live = stores('serve', { ...config(), mode: 'live' });
    const clock = await live.clock();
    expect(clock.now()).toEqual(expect.closeTo(Date.now(), -2));
    await expect(live.clockOffset()).rejects.toThrow('the clock of live mode can not be moved');
  });
});

import { sql } from 'kysely';
import { PostgresError } from './postgres.errors.js';
import { openPostgres, type Postgres } from './postgres.js';
import type { PostgresSettings } from './postgres.settings.js';
import { queryBuilder } from './query.builder.js';
import { repeatUntilKnown } from './repeat-until-known.js';
import { ConnectionProxy, PostgresServer } from './testing/index.js';

interface Tables {
  readonly notes: { readonly id: number; readonly text: string };
}
const build = queryBuilder<Tables>();
const insert = (id: number, text = '') => build.insertInto('notes').values({ id, text });
const rejected = (code: string): unknown => expect.objectContaining({ name: 'PostgresError', code });

describe('A PostgreSQL database', () => {
  let server: PostgresServer;
  let settings: PostgresSettings;
  let database: Postgres;
  const opened: Postgres[] = [];
  const open = (changes: Partial<PostgresSettings> = {}): Postgres => {
    const another = openPostgres({ ...settings, ...changes });
    opened.push(another);
    return another;
  };
  const notes = async (): Promise<number[]> =>
    (await database.all(build.selectFrom('notes').selectAll().orderBy('id'))).map(({ id }) => id);

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    settings = await server.newDatabase();
    database = open();
    const table = build.schema.createTable('notes').addColumn('id', 'bigint', (id) => id.primaryKey());
    await database.run(table.addColumn('text', 'text'));
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  it('commits a transaction that ends, and undoes one that throws', async () => {
    await database.transaction(async (session) => {
      await session.run(insert(1));
      await session.run(insert(2));
    });
    const failing = database.transaction(async (session) => {
      await session.run(insert(3));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await notes()).toEqual([1, 2]);
  });

  it('reports a statement that the server refused, and does not commit what was before it', async () => {
    const swallowing = database.transaction(async (session) => {
      await session.run(insert(1));
      await session.run(insert(1)).catch(() => undefined);
    });
    await expect(swallowing).rejects.toEqual(rejected('Refused'));
    expect(await notes()).toEqual([]);
  });

  it('returns 8-byte integers as numbers', async () => {
    await database.run(insert(Date.UTC(9999, 11, 31)));
    expect(await notes()).toEqual([Date.UTC(9999, 11, 31)]);
  });

  it('runs a transaction again that a concurrent one undid', async () => {
    await database.run(insert(1));
    await database.run(insert(2));
    const touch = (id: number) => build.updateTable('notes').set({ text: 'x' }).where('id', '=', id);
    const both = async (first: number, second: number): Promise<void> =>
      database.transaction(async (session) => {
        await session.run(touch(first));
        await session.all(build.selectNoFrom(sql`pg_sleep(0.1)`.as('slept')));
        await session.run(touch(second));
      });
    await Promise.all([both(1, 2), both(2, 1)]);
    expect(await notes()).toEqual([1, 2]);
  });

  it('syncs every commit, whatever the default of the database is', async () => {
    const [row] = await server.admin<{ name: string }>('select current_database() as name', 'test_1');
    expect(row?.name).toBe('test_1');
    const name = new URL(settings.url).pathname.slice(1);
    await server.admin(`alter database ${name} set synchronous_commit = off`);
    const fresh = open();
    const setting = sql<string>`current_setting('synchronous_commit')`.as('value');
    expect(await fresh.all(build.selectNoFrom(setting))).toEqual([{ value: 'on' }]);
  });

  describe('behind a network that fails', () => {
    let proxy: ConnectionProxy;
    let far: Postgres;
    beforeEach(async () => {
      proxy = await ConnectionProxy.start(server.port);
      far = open({ url: server.url(new URL(settings.url).pathname.slice(1), proxy.port) });
      await far.health();
    });
    afterEach(() => proxy.stop());
    const write = (id: number): Promise<void> =>
      far.transaction(async (session) => {
        await session.run(insert(id));
      });

    it('wrote nothing if the connection is lost before the commit', async () => {
      proxy.inject({ at: 'insert', kind: 'After' });
      await expect(write(1)).rejects.toEqual(rejected('Unavailable'));
      expect(await notes()).toEqual([]);
    });

    it.each([
      ['After', [1]],
      ['Before', []],
    ] as const)(
      'does not say whether it wrote if the connection is lost at the commit: %s',
      async (kind, ids) => {
        proxy.inject({ at: 'commit', kind });
        await expect(write(1)).rejects.toEqual(rejected('Unknown'));
        expect(await notes()).toEqual(ids);
      },
    );

    it('does not say whether a single statement wrote if its answer is lost', async () => {
      proxy.inject({ at: 'insert', kind: 'After' });
      await expect(far.run(insert(1))).rejects.toEqual(rejected('Unknown'));
    });

    it('repeats work that may be repeated until it is known', async () => {
      const once = insert(1).onConflict((conflict) => conflict.doNothing());
      proxy.inject({ at: 'insert', kind: 'After' });
      expect(await repeatUntilKnown(() => far.run(once), 30_000)).toBe(0);
      expect(await notes()).toEqual([1]);
    });

    it('replaces a connection whose server is silent', async () => {
      const name = new URL(settings.url).pathname.slice(1);
      const impatient = open({
        url: server.url(name, proxy.port),
        statementWithinMs: 500,
        connectionsMax: 1,
      });
      await impatient.health();
      proxy.inject({ at: 'insert', kind: 'Silence' });
      await expect(impatient.run(insert(1))).rejects.toEqual(rejected('Unknown'));
      expect(
        await repeatUntilKnown(() => impatient.all(build.selectFrom('notes').selectAll()), 30_000),
      ).toHaveLength(1);
    });

    it('survives connections that end while a transaction has no statement under way', async () => {
      const cut = far.transaction(async (session) => {
        await session.run(insert(1));
        proxy.loseConnections();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await session.run(insert(2));
      });
      await expect(cut).rejects.toEqual(rejected('Unavailable'));
      expect(await notes()).toEqual([]);
      await repeatUntilKnown(() => write(3), 30_000);
      expect(await notes()).toEqual([3]);
    });
  });

  it('is unavailable while the server is down, and recovers by itself with everything it acknowledged', async () => {
    await database.run(insert(1));
    await server.kill();
    await expect(database.run(insert(2))).rejects.toBeInstanceOf(PostgresError);
    expect(await database.health()).toMatchObject({
      writable: false,
      reason: expect.stringContaining('127.0.0.1'),
    });
    await server.restart();
    expect(await database.health()).toEqual({ writable: true, reason: undefined });
    expect(await notes()).toEqual([1]);
  });

  it('says that it can only be read, and writes nothing', async () => {
    await server.admin(
      `alter database ${new URL(settings.url).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    const standby = open();
    expect(await standby.health()).toMatchObject({
      writable: false,
      reason: expect.stringContaining('reads only'),
    });
    await expect(standby.run(insert(1))).rejects.toEqual(rejected('Unavailable'));
  });

  it('never shows the password', async () => {
    const wrong = open({ url: settings.url.replace('127.0.0.1', 'tester.invalid') });
    const { reason } = await wrong.health();
    const password = new URL(settings.url).password;
    expect(reason).toBeDefined();
    expect(`${reason} ${database.name}`).not.toContain(password);
  });

  it('rejects calls after it is closed', async () => {
    await database.close();
    await database.close();
    await expect(database.run(insert(1))).rejects.toEqual(rejected('Unavailable'));
  });

  it('cancels a statement after its time limit', async () => {
    const impatient = open({ statementWithinMs: 200 });
    const slow = build.selectNoFrom(sql`pg_sleep(60)`.as('slept'));
    await expect(impatient.all(slow)).rejects.toEqual(rejected('Unavailable'));
    expect((await impatient.health()).writable).toBe(true);
  });

  it('refuses a call after a limited wait if all connections are in use', async () => {
    const narrow = open({ connectionsMax: 1, connectWithinMs: 300 });
    await narrow.transaction(async () => {
      await expect(narrow.run(insert(1))).rejects.toEqual(rejected('Unavailable'));
    });
  });
});

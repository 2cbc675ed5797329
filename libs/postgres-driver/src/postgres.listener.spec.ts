import { sql } from 'kysely';
import { PostgresListener } from './postgres.listener.js';
import { openPostgres, type Postgres } from './postgres.js';
import type { PostgresSettings } from './postgres.settings.js';
import { queryBuilder } from './query.builder.js';
import { ConnectionProxy, PostgresServer } from './testing/index.js';

describe('A listener', () => {
  let server: PostgresServer;
  let proxy: ConnectionProxy;
  let settings: PostgresSettings;
  let database: Postgres;
  let listener: PostgresListener;
  let connections = 0;
  let beats = 0;
  const notices: string[] = [];

  const notify = (text: string): Promise<unknown> =>
    database.all(queryBuilder().selectNoFrom(sql`pg_notify('news', ${text})`.as('sent')));
  const until = (isSo: () => boolean): Promise<void> => repeatUntilIs(isSo, 30_000);

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    settings = await server.newDatabase();
    proxy = await ConnectionProxy.start(server.port);
    database = openPostgres(settings);
    [connections, beats] = [0, 0];
    notices.length = 0;
    const far = { ...settings, url: server.url(new URL(settings.url).pathname.slice(1), proxy.port) };
    listener = new PostgresListener(far, {
      channel: 'news',
      beatIntervalMs: 20,
      onConnected: async () => void (connections += 1),
      onBeat: async (session) => {
        await session.command('select 1');
        beats += 1;
      },
      onNotice: (text) => void notices.push(text),
    });
  });
  afterEach(async () => {
    await listener.close();
    await database.close();
    await proxy.stop();
  });

  it('gets every notice that is sent after its start', async () => {
    await listener.start();
    for (const text of ['a', 'b']) await notify(text);
    await until(() => notices.length === 2);
    expect(notices).toEqual(['a', 'b']);
  });

  it('connects again after it lost its connection', async () => {
    await listener.start();
    proxy.loseConnections();
    await until(() => connections === 2);
    await notify('later');
    await until(() => notices.includes('later'));
  });

  it('beats while it is connected, and not after it was closed', async () => {
    await listener.start();
    await until(() => beats >= 3);
    await listener.close();
    const before = beats;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(beats).toBe(before);
    const sessions = await server.admin(
      `select 1 from pg_stat_activity where application_name = 'tillstream' and query ilike '%select 1%' and datname = '${new URL(settings.url).pathname.slice(1)}'`,
    );
    expect(sessions).toEqual([]);
  });

  it('reports a first connection that fails', async () => {
    await proxy.stop();
    await expect(listener.start()).rejects.toMatchObject({ name: 'PostgresError', code: 'Unavailable' });
    proxy = await ConnectionProxy.start(server.port);
  });
});

async function repeatUntilIs(isSo: () => boolean, withinMs: number): Promise<void> {
  const end = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it never was so');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

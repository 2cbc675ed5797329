import pg from 'pg';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { inboxContract } from '../testing/inbox.contract.js';
import { PostgresInbox } from './postgres.inbox.js';

const event = {
  eventId: 'evt_1',
  eventType: 'sale.completed',
  body: Buffer.from('{}'),
  receivedAt: 1,
};

describe('The inbox in PostgreSQL', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  let tables = 0;
  beforeAll(async () => {
    server = await PostgresServer.start();
    pool = new pg.Pool({ connectionString: server.url('postgres'), max: 8 });
    // A session that the server ends when it stops.
    pool.on('error', () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  const open = async () => {
    const inbox = new PostgresInbox(pool, { table: `events_${(tables += 1)}` });
    await inbox.setUp();
    return inbox;
  };

  inboxContract(async () => {
    const inbox = await open();
    const other = new PostgresInbox(pool, { table: `events_${tables}` });
    return { inbox, other, close: () => Promise.resolve() };
  });

  it('is set up by several processes at the same time', async () => {
    const inbox = new PostgresInbox(pool, { table: 'events_of_all' });
    await Promise.all(Array.from({ length: 8 }, () => inbox.setUp()));
    expect(await inbox.save(event)).toBe('Saved');
    await inbox.setUp();
    expect(await inbox.save(event)).toBe('Duplicate');
  });

  it('waits for the disk even in a session that otherwise does not', async () => {
    await open();
    const client = await pool.connect();
    const setting = async () => {
      const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
      return rows[0]?.synchronous_commit;
    };
    try {
      for (const [configured, during] of [
        ['off', 'on'],
        ['local', 'local'],
        ['on', 'on'],
      ]) {
        await client.query(`set synchronous_commit = ${configured}`);
        await client.query('begin');
        const inbox = new PostgresInbox(client, { table: `events_${tables}` });
        expect(await inbox.save({ ...event, eventId: `evt_${configured}` })).toBe('Saved');
        expect(await setting()).toBe(during);
        await client.query('commit');
        expect(await setting()).toBe(configured);
      }
    } finally {
      client.release(true);
    }
  });

  it('rejects while the database is away', async () => {
    const away = new pg.Pool({ host: '/nowhere', user: 'tester', connectionTimeoutMillis: 1_000 });
    await expect(new PostgresInbox(away).save(event)).rejects.toThrow('ENOENT');
    await away.end();
  });

  it('has no table whose name needs quotes', () => {
    expect(() => new PostgresInbox(pool, { table: 'a"; drop table b' })).toThrow('lower-case letters');
  });
});

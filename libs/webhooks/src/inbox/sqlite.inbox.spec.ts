import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@tillstream/sqlite-driver';
import { inboxContract } from '../testing/inbox.contract.js';
import { SqliteInbox } from './sqlite.inbox.js';
import type { SqliteDatabase } from './sqlite.inbox.js';

type OpenDatabase = SqliteDatabase & { close(): void };

/** Node's own driver, from Node 22.13 on. */
const { DatabaseSync } = (process.getBuiltinModule('node:sqlite') ?? {}) as {
  DatabaseSync?: new (file: string) => OpenDatabase;
};
const DRIVERS: [name: string, open: (file: string) => OpenDatabase][] = [
  ['better-sqlite3', (file) => openDatabase(file)],
];
if (DatabaseSync) DRIVERS.push(['node:sqlite', (file) => new DatabaseSync(file)]);

const event = {
  eventId: 'evt_1',
  eventType: 'sale.completed',
  body: Buffer.from('{}'),
  receivedAt: 1,
};

describe.each(DRIVERS)('The inbox in SQLite by %s', (_name, openFile) => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-inbox-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (settings = 'pragma journal_mode = wal; pragma synchronous = full') => {
    const database = openFile(join(folder, 'shop.db'));
    database.exec(settings);
    return database;
  };

  inboxContract(() => {
    const [database, another] = [open(), open()];
    const close = () => Promise.resolve([database, another].forEach((one) => one.close()));
    return Promise.resolve({ inbox: new SqliteInbox(database), other: new SqliteInbox(another), close });
  });

  it('has its events after the file was opened again', async () => {
    const first = open();
    await new SqliteInbox(first).save(event);
    first.close();
    const second = open();
    expect(await new SqliteInbox(second).save(event)).toBe('Duplicate');
    expect((await new SqliteInbox(second).claim({ now: 0, until: 1 }))?.eventId).toBe('evt_1');
    second.close();
  });

  it('saves nothing if a loss of power could take the commit back', async () => {
    const database = open('pragma journal_mode = wal; pragma synchronous = normal');
    const inbox = new SqliteInbox(database);
    await expect(inbox.save(event)).rejects.toThrow('pragma synchronous = full');
    database.exec('pragma synchronous = full');
    expect(await inbox.save(event)).toBe('Saved');
    database.close();
  });

  it('saves nothing inside a transaction that could be rolled back', async () => {
    const database = open();
    const inbox = new SqliteInbox(database);
    database.exec('begin');
    const saved = inbox.save(event);
    if (database.inTransaction === undefined && database.isTransaction === undefined) await saved;
    else await expect(saved).rejects.toThrow('open transaction');
    database.exec('rollback');
    database.close();
  });

  it('has a table of the name that it is given', async () => {
    const database = open();
    await new SqliteInbox(database, { table: 'shop_events' }).save(event);
    expect(database.prepare('select event_id as id from shop_events').all()).toEqual([{ id: 'evt_1' }]);
    expect(() => new SqliteInbox(database, { table: 'a; drop table b' })).toThrow('lower-case letters');
    database.close();
  });
});

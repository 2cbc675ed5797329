import { newEventId, readWholeStream } from '@tillstream/event-store';
import { numberedEvents } from '@tillstream/event-store-testing';
import { openSqliteEventStore } from '../open-sqlite-event-store.js';
import type { SqliteEventStore } from '../sqlite-event-store.js';
import { newFolder } from '../sqlite-stores.fixture.js';
import type { WriteStep } from './write-unit.js';

describe('a unit', () => {
  let place: ReturnType<typeof newFolder>;
  let store: SqliteEventStore;

  beforeEach(async () => {
    place = newFolder();
    store = await openSqliteEventStore({ file: place.file });
    await store.migrate('claims', [
      'CREATE TABLE claims (name TEXT PRIMARY KEY, owner TEXT NOT NULL) STRICT',
    ]);
  });

  afterEach(async () => {
    await store.close();
    place.remove();
  });

  const claim = (name: string, owner = 'me'): WriteStep => ({
    kind: 'run',
    sql: 'INSERT INTO claims (name, owner) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET owner = owner WHERE owner = excluded.owner',
    params: [name, owner],
    mustChange: true,
  });
  const append = (stream: string): WriteStep => ({
    kind: 'append',
    append: { stream, expected: 'none', events: numberedEvents(2) },
  });
  const claims = (): unknown[] =>
    store.query<{ name: string }>('SELECT name FROM claims ORDER BY name').map(({ name }) => name);

  it('writes its rows and its events in one commit', async () => {
    const result = await store.execute([claim('a'), append('test-1')]);
    expect(result).toMatchObject({
      kind: 'Done',
      steps: [
        { kind: 'Ran', changes: 1 },
        { kind: 'Appended', revision: 1 },
      ],
    });
    expect(claims()).toEqual(['a']);
    expect(await readWholeStream(store, 'test-1')).toHaveLength(2);
  });

  it('whose append conflicts writes no row, and names the step that refused it', async () => {
    await store.execute([append('test-1')]);
    const result = await store.execute([claim('a'), append('test-1')]);
    expect(result).toEqual({ kind: 'Refused', step: 1, because: { kind: 'Conflict', actual: 1 } });
    expect(claims()).toEqual([]);
  });

  it('writes no event if a row that must change does not', async () => {
    await store.execute([claim('a', 'another')]);
    const result = await store.execute([append('test-1'), claim('a')]);
    expect(result).toEqual({ kind: 'Refused', step: 1, because: { kind: 'Unchanged' } });
    expect(await readWholeStream(store, 'test-1')).toEqual([]);
  });

  it('that is repeated has the same result, and writes nothing twice', async () => {
    const unit = [claim('a'), append('test-1')];
    expect(await store.execute(unit)).toEqual(await store.execute(unit));
    expect(await readWholeStream(store, 'test-1')).toHaveLength(2);
  });

  it('that SQLite refuses is Invalid, and does not affect the other units of its group', async () => {
    const broken: WriteStep = { kind: 'run', sql: "INSERT INTO claims (name, owner) VALUES ('b', NULL)" };
    const wrong: WriteStep = { kind: 'run', sql: 'INSERT INTO nowhere VALUES (1)' };
    const results = await Promise.allSettled([
      store.execute([claim('a'), append('test-1')]),
      store.execute([claim('b'), append('test-2'), broken]),
      store.execute([claim('c'), wrong]),
      store.execute([claim('d'), append('test-3')]),
    ]);
    expect(
      results.map((result) => (result.status === 'fulfilled' ? result.value.kind : result.reason)),
    ).toEqual([
      'Done',
      expect.objectContaining({ code: 'Invalid' }),
      expect.objectContaining({ code: 'Invalid' }),
      'Done',
    ]);
    expect(claims()).toEqual(['a', 'd']);
    expect(await readWholeStream(store, 'test-2')).toEqual([]);
  });

  it('may contain bytes, whole numbers and nulls', async () => {
    await store.migrate('values', ['CREATE TABLE kinds (bytes BLOB, number INTEGER, absent TEXT) STRICT']);
    const bytes = new Uint8Array([1, 2, 255]);
    await store.execute([
      { kind: 'run', sql: 'INSERT INTO kinds VALUES (?, ?, ?)', params: [bytes, 9007199254740991, null] },
    ]);
    const [row] = store.query<{ bytes: Buffer; number: number; absent: null }>('SELECT * FROM kinds');
    expect(row && { ...row, bytes: [...row.bytes] }).toEqual({
      bytes: [1, 2, 255],
      number: 9007199254740991,
      absent: null,
    });
  });

  it('cannot write through a query', () => {
    expect(() => store.query("INSERT INTO claims VALUES ('a', 'me') RETURNING name")).toThrow('readonly');
  });

  it('finds the tables of its companion created once, also if several processes create them at the same time', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openSqliteEventStore({ file: place.file })));
    const steps = ['CREATE TABLE once (id INTEGER PRIMARY KEY) STRICT'];
    await Promise.all([store, ...others].map((opened) => opened.migrate('once', steps)));
    expect(store.query("SELECT version FROM companions WHERE name = 'once'")).toEqual([{ version: 1 }]);
    await Promise.all(others.map((opened) => opened.close()));
  });

  it('finds the tables of its companion migrated once, step by step, and refuses those of a newer program', async () => {
    const first = 'CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT';
    const second = 'ALTER TABLE notes ADD COLUMN text TEXT';
    await store.migrate('notes', [first]);
    await store.migrate('notes', [first]);
    await store.migrate('notes', [first, second]);
    await store.execute([
      { kind: 'run', sql: 'INSERT INTO notes (text) VALUES (?)', params: [newEventId()], mustChange: true },
    ]);
    await expect(store.migrate('notes', [first])).rejects.toThrow(
      'the tables of notes are of version 2, this program knows 1',
    );
    await expect(store.migrate('other', ['CREATE TABLE'])).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await store.execute([append('test-1')])).toMatchObject({ kind: 'Done' });
  });
});

import { EventStoreError, newEventId, type Append } from '@tillstream/event-store';
import { eventStoreContract, RecordingSubscriber, numberedEvents } from '@tillstream/event-store-testing';
import { openDatabase } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteEventStore } from './open-sqlite-event-store.js';
import type { SqliteEventStore } from './sqlite-event-store.js';
import { newFolder, sqliteStores } from './sqlite-stores.fixture.js';

eventStoreContract('SqliteEventStore', sqliteStores);

describe('SqliteEventStore', () => {
  let place: ReturnType<typeof newFolder>;
  let store: SqliteEventStore;
  let other: Database.Database;

  beforeEach(async () => {
    place = newFolder();
    store = await openSqliteEventStore({ file: place.file, busyTimeoutMs: 400 });
    other = openDatabase(place.file);
  });

  afterEach(async () => {
    other.close();
    await store.close();
    place.remove();
  });

  const some = (): Append => ({
    stream: `test-${newEventId()}`,
    expected: 'none',
    events: numberedEvents(1),
  });

  it('never delivers an event before it is committed, and delivers it soon after', async () => {
    const seen = new RecordingSubscriber();
    store.subscribeToAll({}, seen);
    await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
    const insert = other.prepare(
      "INSERT INTO events (stream, revision, id, type, data, metadata) VALUES ('test-1', 0, randomblob(16), 'Open', '{}', '{}')",
    );
    other.exec('BEGIN IMMEDIATE');
    insert.run();
    await pause(100);
    expect(seen.events).toEqual([]);
    expect((await store.readAll()).events).toEqual([]);
    other.exec('COMMIT');
    await seen.until(({ events }) => events.length === 1);
  });

  it('tells where streams have got to, in the pages of what was written', async () => {
    for (const category of ['one', 'two', 'one']) {
      await store.append({ ...some(), stream: `${category}-${newEventId()}`, events: numberedEvents(3) });
    }
    for (const options of [{}, { limit: 4 }, { categories: ['one'], limit: 2 }]) {
      const { events, ...place } = await store.readAll(options);
      const headers = events.map(({ stream, revision, type, position }) => ({
        stream,
        revision,
        type,
        position,
      }));
      expect(await store.readHeaders(options)).toEqual({ headers, ...place });
    }
  });

  it('never freezes the event loop while a commit waits', async () => {
    const patient = await openSqliteEventStore({ file: place.file, busyTimeoutMs: 20_000 });
    other.exec('BEGIN IMMEDIATE');
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    const appended = patient.append(some());
    await pause(250);
    delay.disable();
    other.exec('COMMIT');
    expect(await appended).toMatchObject({ kind: 'Appended' });
    await patient.close();
    expect(delay.count).toBeGreaterThan(10);
    // A loop that waited for the lock itself would wait for all its patience.
    expect(delay.max / 1e6).toBeLessThan(5_000);
  });

  it('rejects with Unavailable, having written nothing, when others keep the file too long; health says so and recovers', async () => {
    other.exec('BEGIN IMMEDIATE');
    const append = some();
    await expect(store.append(append)).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await store.health()).toEqual({ writable: false, reason: expect.stringContaining('locked') });
    other.exec('COMMIT');
    expect(await store.health()).toEqual({ writable: true });
    expect((await store.readStream(append.stream)).events).toEqual([]);
    expect(await store.append(append)).toMatchObject({ kind: 'Appended' });
  });

  it('opens while another process writes: what was made once needs no lock', async () => {
    const steps = ['CREATE TABLE notes (id INTEGER PRIMARY KEY)'];
    await store.migrate('notes', steps);
    other.exec('BEGIN IMMEDIATE');
    const opened = await openSqliteEventStore({ file: place.file });
    await opened.migrate('notes', steps);
    expect(other.inTransaction).toBe(true);
    other.exec('COMMIT');
    await opened.close();
  });

  it('refuses an id that another stream holds as Invalid, and harms no neighbour', async () => {
    const [first, neighbour] = [some(), some()];
    await store.append(first);
    const results = await Promise.allSettled([
      store.append({ ...some(), events: first.events }),
      store.append(neighbour),
    ]);
    expect(results[0]).toMatchObject({ status: 'rejected', reason: { code: 'Invalid' } });
    expect(results[1]).toMatchObject({ status: 'fulfilled', value: { kind: 'Appended' } });
  });

  it('keeps events from being changed or deleted by accident', async () => {
    await store.append(some());
    expect(() => other.exec("UPDATE events SET type = 'Other'")).toThrow('events are never changed');
    expect(() => other.exec('DELETE FROM events')).toThrow('events are never deleted');
  });

  it('refuses a file of a newer version, in one clear sentence', async () => {
    await store.close();
    other.pragma('user_version = 99');
    const opening = openSqliteEventStore({ file: place.file });
    await expect(opening).rejects.toThrow(
      /newer version \(schema 99, this program knows 1\): start the newer program/,
    );
    await expect(opening).rejects.toBeInstanceOf(EventStoreError);
  });

  it('refuses a file that is no database, or a folder, and starts no second try', async () => {
    mkdirSync(`${place.file}.folder`);
    await expect(openSqliteEventStore({ file: `${place.file}.folder` })).rejects.toMatchObject({
      code: 'Unavailable',
    });
    await expect(openSqliteEventStore({ file: import.meta.filename })).rejects.toMatchObject({
      code: 'Unavailable',
    });
  });

  it.each([false, true])("names a file that can't be opened once (read only: %s)", async (readOnly) => {
    const file = dirname(place.file);
    const opening = openSqliteEventStore({ file, readOnly });
    const fault = readOnly
      ? 'disk I/O error (SQLITE_IOERR_READ)'
      : 'unable to open database file (SQLITE_CANTOPEN)';
    await expect(opening).rejects.toThrow(`${file} can't be opened: ${fault}`);
  });

  it('refuses to read a database of something else, of whatever version', async () => {
    const file = `${place.file}.else`;
    const foreign = openDatabase(file);
    foreign.exec('CREATE TABLE keys (id INTEGER)');
    foreign.pragma('user_version = 1');
    foreign.close();
    const opening = openSqliteEventStore({ file, readOnly: true });
    await expect(opening).rejects.toThrow(`${file} holds no event store`);
  });

  it('opened to be read only, it reads, writes nothing and makes nothing', async () => {
    const append = some();
    await store.append(append);
    const reading = await openSqliteEventStore({ file: place.file, readOnly: true });
    expect((await reading.readStream(append.stream)).events).toHaveLength(1);
    await expect(reading.append(some())).rejects.toMatchObject({ code: 'Unavailable' });
    expect((await reading.health()).writable).toBe(false);
    await reading.close();
    const missing = `${place.file}.missing`;
    await expect(openSqliteEventStore({ file: missing, readOnly: true })).rejects.toMatchObject({
      code: 'Unavailable',
    });
    expect(existsSync(missing)).toBe(false);
  });

  it('makes the folder of its file', async () => {
    const deep = await openSqliteEventStore({ file: `${place.folder}/a/b/events.db` });
    expect(await deep.append(some())).toMatchObject({ kind: 'Appended' });
    await deep.close();
  });
});

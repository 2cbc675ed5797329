import { jest } from '@jest/globals';
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
import { GroupQueue } from './writer/group-queue.js';

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

  const newAppend = (): Append => ({
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

  it('reads headers in the same pages as events', async () => {
    for (const category of ['one', 'two', 'one']) {
      await store.append({
        ...newAppend(),
        stream: `${category}-${newEventId()}`,
        events: numberedEvents(3),
      });
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

  it.each([
    ['256 units', 600, 1, [256, 256, 88]],
    ['2 MiB', 5, 900_000, [2, 2, 1]],
  ])('commits at most %s at a time', async (_, appends, characters, sizes) => {
    const groups = jest.spyOn(GroupQueue.prototype, 'nextGroup');
    const event = () => ({
      id: newEventId(),
      type: 'Written',
      data: { text: 'x'.repeat(characters) },
      metadata: {},
    });
    await Promise.all(
      Array.from({ length: appends }, () => store.append({ ...newAppend(), events: [event()] })),
    );
    const sent = groups.mock.results.flatMap(({ value }) => (value as unknown[] | undefined)?.length ?? []);
    groups.mockRestore();
    expect(sent).toEqual(sizes);
  });

  it('never blocks the event loop while a commit waits', async () => {
    const waitingStore = await openSqliteEventStore({ file: place.file, busyTimeoutMs: 20_000 });
    other.exec('BEGIN IMMEDIATE');
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    const appended = waitingStore.append(newAppend());
    await pause(250);
    delay.disable();
    other.exec('COMMIT');
    expect(await appended).toMatchObject({ kind: 'Appended' });
    await waitingStore.close();
    expect(delay.count).toBeGreaterThan(10);
    // An event loop that waited for the lock itself would be blocked for the whole busy timeout.
    expect(delay.max / 1e6).toBeLessThan(5_000);
  });

  it('rejects with Unavailable and writes nothing if another process locks the file too long; health reports it and recovers', async () => {
    other.exec('BEGIN IMMEDIATE');
    const append = newAppend();
    await expect(store.append(append)).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await store.health()).toEqual({ writable: false, reason: expect.stringContaining('locked') });
    other.exec('COMMIT');
    expect(await store.health()).toEqual({ writable: true });
    expect((await store.readStream(append.stream)).events).toEqual([]);
    expect(await store.append(append)).toMatchObject({ kind: 'Appended' });
  });

  it('opens while another process writes: existing tables need no lock', async () => {
    const steps = ['CREATE TABLE notes (id INTEGER PRIMARY KEY)'];
    await store.migrate('notes', steps);
    other.exec('BEGIN IMMEDIATE');
    const opened = await openSqliteEventStore({ file: place.file });
    await opened.migrate('notes', steps);
    expect(other.inTransaction).toBe(true);
    other.exec('COMMIT');
    await opened.close();
  });

  it('rejects an event id of another stream as Invalid, and still writes the other append', async () => {
    const [first, neighbour] = [newAppend(), newAppend()];
    await store.append(first);
    const results = await Promise.allSettled([
      store.append({ ...newAppend(), events: first.events }),
      store.append(neighbour),
    ]);
    expect(results[0]).toMatchObject({ status: 'rejected', reason: { code: 'Invalid' } });
    expect(results[1]).toMatchObject({ status: 'fulfilled', value: { kind: 'Appended' } });
  });

  it('refuses to change or delete events', async () => {
    await store.append(newAppend());
    expect(() => other.exec("UPDATE events SET type = 'Other'")).toThrow('events are never changed');
    expect(() => other.exec('DELETE FROM events')).toThrow('events are never deleted');
  });

  it('refuses a file of a newer version, and says what to do', async () => {
    await store.close();
    other.pragma('user_version = 99');
    const opening = openSqliteEventStore({ file: place.file });
    await expect(opening).rejects.toThrow(
      /newer version \(schema 99, this program knows 1\): start the newer program/,
    );
    await expect(opening).rejects.toBeInstanceOf(EventStoreError);
  });

  it('refuses a file that is no database, and a folder', async () => {
    mkdirSync(`${place.file}.folder`);
    await expect(openSqliteEventStore({ file: `${place.file}.folder` })).rejects.toMatchObject({
      code: 'Unavailable',
    });
    await expect(openSqliteEventStore({ file: import.meta.filename })).rejects.toMatchObject({
      code: 'Unavailable',
    });
  });

  it.each([false, true])("names the file once if it can't be opened (read only: %s)", async (readOnly) => {
    const file = dirname(place.file);
    const opening = openSqliteEventStore({ file, readOnly });
    const fault = readOnly
      ? 'disk I/O error (SQLITE_IOERR_READ)'
      : 'unable to open database file (SQLITE_CANTOPEN)';
    await expect(opening).rejects.toThrow(`${file} can't be opened: ${fault}`);
  });

  it('refuses a database that is no event store', async () => {
    const file = `${place.file}.else`;
    const foreign = openDatabase(file);
    foreign.exec('CREATE TABLE keys (id INTEGER)');
    foreign.pragma('user_version = 1');
    foreign.close();
    const opening = openSqliteEventStore({ file, readOnly: true });
    await expect(opening).rejects.toThrow(`${file} holds no event store`);
  });

  it('reads, but writes and creates nothing when opened to read only', async () => {
    const append = newAppend();
    await store.append(append);
    const readOnlyStore = await openSqliteEventStore({ file: place.file, readOnly: true });
    expect((await readOnlyStore.readStream(append.stream)).events).toHaveLength(1);
    await expect(readOnlyStore.append(newAppend())).rejects.toMatchObject({ code: 'Unavailable' });
    expect((await readOnlyStore.health()).writable).toBe(false);
    await readOnlyStore.close();
    const missing = `${place.file}.missing`;
    await expect(openSqliteEventStore({ file: missing, readOnly: true })).rejects.toMatchObject({
      code: 'Unavailable',
    });
    expect(existsSync(missing)).toBe(false);
  });

  it('creates the folder of its file', async () => {
    const nested = await openSqliteEventStore({ file: `${place.folder}/a/b/events.db` });
    expect(await nested.append(newAppend())).toMatchObject({ kind: 'Appended' });
    await nested.close();
  });
});

import { newEventId, readWholeStream, transact } from '@tillstream/event-store';
import { numberedEvent, numberedEvents } from '@tillstream/event-store-testing';
import { writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommitNotifier } from '../reader/commit-notifier.js';
import { EventReader } from '../reader/event-reader.js';
import { SqliteEventStore } from '../sqlite-event-store.js';
import { newFolder } from '../sqlite-stores.fixture.js';
import { WriterThread } from './writer-thread.js';

const dyingWriter = new URL('../../fixtures/dying-writer.mjs', import.meta.url);

describe('WriterThread', () => {
  let place: ReturnType<typeof newFolder>;
  let store: SqliteEventStore;

  beforeEach(async () => {
    place = newFolder();
    const limits = { groupUnitsMax: 256, groupBytesMax: 1e6, queueUnitsMax: 100 };
    const writer = await WriterThread.start(
      { file: place.file, busyTimeoutMs: 500 },
      limits,
      () => commits.notify(),
      dyingWriter,
    );
    const reader = new EventReader(place.file, false);
    const commits = new CommitNotifier(() => reader.dataVersion());
    store = new SqliteEventStore(place.file, reader, writer, commits);
  });

  afterEach(async () => {
    await store.close();
    place.remove();
  });

  const die = (moment: 'before' | 'after'): void => writeFileSync(`${place.file}.die`, moment);
  const newAppend = () => ({
    stream: `test-${newEventId()}`,
    expected: 'none' as const,
    events: numberedEvents(1),
  });

  it.each(['before', 'after'] as const)(
    'that dies %s a commit leaves the appends in flight Unknown, restarts, and writes the waiting ones',
    async (moment) => {
      die(moment);
      const inFlight = [newAppend(), newAppend()];
      const results = Promise.allSettled(inFlight.map((append) => store.append(append)));
      await nextTurn();
      // Also in flight, unless the thread has already died.
      const lateAppend = newAppend();
      const result = store.append(lateAppend).catch((error: unknown) => error);
      await nextTurn();
      const waiting = store.append(newAppend());
      expect(await results).toMatchObject([{ reason: { code: 'Unknown' } }, { reason: { code: 'Unknown' } }]);
      await result;
      expect(await store.append(lateAppend)).toMatchObject({ kind: 'Appended', revision: 0 });
      expect((await store.readStream(lateAppend.stream)).events).toHaveLength(1);
      expect(await waiting).toMatchObject({ kind: 'Appended' });
      for (const append of inFlight) {
        expect((await store.readStream(append.stream)).events).toHaveLength(moment === 'after' ? 1 : 0);
        expect(await store.append(append)).toMatchObject({ kind: 'Appended', revision: 0 });
        expect((await store.readStream(append.stream)).events).toHaveLength(1);
      }
    },
  );

  it.each(['before', 'after'] as const)('that dies %s a commit lets transact write once', async (moment) => {
    die(moment);
    const decide = () => ({ events: [numberedEvent(1)], value: undefined });
    expect(await transact(store, { stream: 'test-1', decide })).toMatchObject({ kind: 'Done' });
    expect(await readWholeStream(store, 'test-1')).toHaveLength(1);
  });

  it.each([
    [200, 'few', 1, 3],
    [10, 'bounded', 10, 12],
  ])(
    'commits units that arrive together in groups of at most %i: %s commits',
    async (groupUnitsMax, _, least, most) => {
      let commits = 0;
      const limits = { groupUnitsMax, groupBytesMax: 1e6, queueUnitsMax: 100 };
      const writer = await WriterThread.start(
        { file: place.file, busyTimeoutMs: 500 },
        limits,
        () => (commits += 1),
      );
      const step = (id: string) => ({
        ...newAppend(),
        kind: 'append' as const,
        events: [{ id, type: 'Written', data: '{}', metadata: '{}' }],
      });
      await Promise.all(Array.from({ length: 100 }, () => writer.execute([step(newEventId())], 4)));
      await writer.close();
      expect(commits).toBeGreaterThanOrEqual(least);
      expect(commits).toBeLessThanOrEqual(most);
    },
  );

  it('rejects appends beyond the limit of waiting ones as Unavailable, and writes the others', async () => {
    const results = await Promise.allSettled(Array.from({ length: 150 }, () => store.append(newAppend())));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(100);
    expect(results[149]).toMatchObject({ reason: { code: 'Unavailable' } });
  });

  it('that was not built is named, with a hint to build it', async () => {
    const limits = { groupUnitsMax: 1, groupBytesMax: 1, queueUnitsMax: 1 };
    const missing = new URL('../dist/nothing.js', import.meta.url);
    const start = WriterThread.start(
      { file: place.file, busyTimeoutMs: 1 },
      limits,
      () => undefined,
      missing,
    );
    await expect(start).rejects.toThrow(/nothing\.js is missing: build it first/);
  });
});

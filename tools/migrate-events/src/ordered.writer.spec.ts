import { EventStoreError, MemoryEventStore, newEventId, type RecordedEvent } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore, type WriteStep } from '@tillstream/event-store-sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf, migrate, ReusableStore, writeInTurn } from './migration.fixture.js';
import { OneByOne, orderedWriterFor, packAppends, TargetMoved, UnitByUnit } from './ordered.writer.js';

const retryPolicy = { retryForMs: 10_000, signal: new AbortController().signal, onRetry: () => undefined };

describe('appends are packed', () => {
  const sizes = (events: readonly RecordedEvent[]): unknown[] =>
    packAppends(events).map(({ append: { stream, expected, events: packed } }) => [
      stream,
      expected,
      packed.length,
    ]);

  it('a hundred neighbours of a stream at most', () => {
    expect(sizes(neighbours(250, 'x'))).toEqual([
      ['test-1', 'none', 100],
      ['test-1', 99, 100],
      ['test-1', 199, 50],
    ]);
  });

  it('512 KiB at most, but for one event that has more by itself', () => {
    expect(sizes(neighbours(5, 'x'.repeat(200_000)))).toEqual([
      ['test-1', 'none', 2],
      ['test-1', 1, 2],
      ['test-1', 3, 1],
    ]);
    expect(sizes(neighbours(2, 'x'.repeat(600_000)))).toHaveLength(2);
  });
});

describe('the embedded store as a target', () => {
  let folder = '';
  let target: SqliteEventStore;
  let source: ReusableStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-migrate-'));
    target = await openSqliteEventStore({ file: join(folder, 'events.db') });
    source = new ReusableStore(new MemoryEventStore());
    await writeInTurn(source, ['a', 'b', 'a', 'c']);
  });

  afterEach(async () => {
    await target.close();
    rmSync(folder, { recursive: true });
  });

  it('takes many appends in one commit, and any other store one after the other', () => {
    expect(orderedWriterFor(target, retryPolicy)).toBeInstanceOf(UnitByUnit);
    expect(orderedWriterFor(new MemoryEventStore(), retryPolicy)).toBeInstanceOf(OneByOne);
  });

  it.each<['Unavailable' | 'Unknown', boolean]>([
    ['Unavailable', false],
    ['Unknown', false],
    ['Unknown', true],
  ])('repeats a unit that is %s (written: %s) as it is, and keeps the order', async (code, written) => {
    const asked: (readonly WriteStep[])[] = [];
    let failures = 2;
    const execute = async (steps: readonly WriteStep[]) => {
      asked.push(steps);
      if (failures-- <= 0) return target.execute(steps);
      if (written) await target.execute(steps);
      throw new EventStoreError(code, 'injected');
    };
    let count = 0;
    const { events } = await source.readAll();
    await new UnitByUnit({ execute }, retryPolicy).write(packAppends(events), (wrote) => (count += wrote));
    expect(asked).toEqual([asked[0], asked[0], asked[0]]);
    expect(count).toBe(4);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('writes nothing of a unit of which one append is refused', async () => {
    const { events } = await source.readAll();
    await writeInTurn(target, ['c']);
    const writing = new UnitByUnit(target, retryPolicy).write(packAppends(events), () => undefined);
    await expect(writing).rejects.toThrow(TargetMoved);
    await expect(writing).rejects.toThrow(
      'stream test-c is at revision 0 in the target and should not exist',
    );
    expect(await contentOf(target)).toHaveLength(1);
  });

  it('gets large events in commits of bounded size', async () => {
    const units: number[] = [];
    const execute = (steps: readonly WriteStep[]) => {
      units.push(steps.length);
      return target.execute(steps);
    };
    const large = neighbours(7, 'x'.repeat(600_000));
    await new UnitByUnit({ execute }, retryPolicy).write(packAppends(large), () => undefined);
    expect(units).toEqual([3, 3, 1]);
    expect(await contentOf(target)).toHaveLength(7);
  });

  it('is copied to, and back, without a difference', async () => {
    expect((await migrate(source, target)).code).toBe(0);
    const back = new ReusableStore(new MemoryEventStore());
    const file = join(folder, 'events.db');
    expect((await migrate(await openSqliteEventStore({ file, readOnly: true }), back)).code).toBe(0);
    expect(await contentOf(back)).toEqual(await contentOf(source));
  });
});

function neighbours(count: number, text: string): RecordedEvent[] {
  return Array.from({ length: count }, (_, revision) => ({
    stream: 'test-1',
    revision,
    id: newEventId(),
    type: 'Counted',
    data: { text },
    metadata: {},
    position: '1' as RecordedEvent['position'],
  }));
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryEventStore, type EventStore } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { contentOf, migrate, ReusableStore, writeInTurn } from './migration.fixture.js';

describe('an event of a file that is no JSON any more', () => {
  let folder = '';
  let damaged: SqliteEventStore;
  let other: ReusableStore;
  let intact: Awaited<ReturnType<typeof contentOf>>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-migrate-'));
    damaged = await openSqliteEventStore({ file: join(folder, 'events.db') });
    await writeInTurn(damaged, ['a', 'b', 'b', 'a', 'c', 'a']);
    intact = await contentOf(damaged);
    await damaged.execute([
      { kind: 'run', sql: 'DROP TRIGGER events_are_never_changed' },
      { kind: 'run', sql: `UPDATE events SET data = '{"x":' WHERE stream = 'test-c'` },
    ]);
    other = new ReusableStore(new MemoryEventStore());
  });
  afterEach(async () => {
    await damaged.close();
    rmSync(folder, { recursive: true });
  });

  /** The command closes what it opened, and the test looks at it again. */
  const staying = (store: EventStore): EventStore =>
    new Proxy(store, {
      get: (target, name) => {
        if (name === 'close') return async () => undefined;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });

  it('is named where it is in the source, and all before it is copied', async () => {
    const { code, errors } = await migrate(staying(damaged), other);
    expect([code, errors]).toEqual([
      1,
      [
        expect.stringMatching(
          /BROKEN at stream test-c, revision 0, event [0-9a-f-]{36}: its data is no JSON object\..* holds 4 events of 6/,
        ),
      ],
    ]);
    expect(await contentOf(other)).toEqual(intact.slice(0, 4));
  });

  it('is not taken for one of the source where it is in the target', async () => {
    await writeInTurn(other, ['a']);
    const { code, errors } = await migrate(other, staying(damaged));
    expect([code, errors]).toEqual([
      2,
      [expect.stringContaining('Stopped: The target is damaged at stream test-c, revision 0')],
    ]);
  });
});

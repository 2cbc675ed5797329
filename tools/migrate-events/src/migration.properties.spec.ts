import { EventStoreError, MemoryEventStore, type EventStore, type JsonObject } from '@tillstream/event-store';
import {
  openSqliteEventStore,
  type SqliteEventStore,
  type WriteStep,
  type WriteUnitResult,
} from '@tillstream/event-store-sqlite';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf, migrate, ReusableStore, write } from './migration.fixture.js';

/** Appends of one to three events, their streams interleaved in any way. */
const histories = fc.array(
  fc.record({
    stream: fc.constantFrom('test-a', 'test-b', 'test-c', 'other-ü'),
    contents: fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  { maxLength: 30 },
);

/** How a run ends early: at which of its writes, and in which way. */
const interruptions = fc.array(
  fc.record({
    at: fc.nat(12),
    by: fc.constantFrom('signal', 'Unavailable', 'lost, written', 'lost, not written' as const),
  }),
  { maxLength: 4 },
);

/** More for the long proof: `PROPERTY_RUNS=1000`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 50);

describe('for any history', () => {
  it('the copy is the source in its order, however often it was interrupted, and at whichever append', async () => {
    const copied = async (history: History, stops: readonly Stop[]): Promise<void> => {
      const source = await storeOf(history);
      const target = new ReusableStore(new MemoryEventStore());
      for (const { at, by } of stops) {
        const interruption = new AbortController();
        target.clearFaults();
        if (at > 0) target.inject({ kind: 'Delay', ms: 0 }, { times: at });
        if (by === 'signal')
          target.inject({ kind: 'Delay', ms: 0 }, { before: () => interruption.abort('SIGINT') });
        else if (by === 'Unavailable') target.inject({ kind: 'Unavailable' });
        else target.inject({ kind: 'LoseAnswer', written: by === 'lost, written' });
        const { code } = await migrate(source, target, { signal: interruption.signal });
        expect([0, 2, 130]).toContain(code);
        await expectBeginning(source, target);
      }
      target.clearFaults();
      expect((await migrate(source, target)).code).toBe(0);
      expect(await contentOf(target)).toEqual(await contentOf(source));
      expect((await migrate(source, target, { more: ['--verify-only'] })).code).toBe(0);
    };
    await fc.assert(fc.asyncProperty(histories, interruptions, copied), { numRuns: RUNS });
  });

  it('the same holds for the embedded store, whose writes hold many appends', async () => {
    const copied = async (history: History, stops: readonly Stop[]): Promise<void> => {
      const source = await storeOf(Array.from({ length: 20 }, () => history).flat());
      const folder = mkdtempSync(join(tmpdir(), 'tillstream-migrate-'));
      const open = () => openSqliteEventStore({ file: join(folder, 'events.db') });
      try {
        for (const stop of stops) {
          const interruption = new AbortController();
          const target = stopping(await open(), stop, interruption);
          const { code } = await migrate(source, target, { signal: interruption.signal });
          expect([0, 2, 130]).toContain(code);
          const left = await open();
          await expectBeginning(source, left).finally(() => left.close());
        }
        expect((await migrate(source, await open())).code).toBe(0);
        const left = await open();
        expect(await contentOf(left)).toEqual(await contentOf(source));
        await left.close();
      } finally {
        rmSync(folder, { recursive: true });
      }
    };
    const few = interruptions.map((stops) => stops.map(({ at, by }) => ({ at: at % 3, by })));
    await fc.assert(fc.asyncProperty(histories, few, copied), { numRuns: Math.ceil(RUNS / 10) });
  });
});

/** The store, whose write number `at` has the fault. */
function stopping(
  store: SqliteEventStore,
  { at, by }: Stop,
  interruption: AbortController,
): SqliteEventStore {
  let writes = 0;
  const write = store.execute.bind(store);
  const execute = async (steps: readonly WriteStep[]): Promise<WriteUnitResult> => {
    if (writes++ !== at) return write(steps);
    if (by === 'signal') interruption.abort('SIGINT');
    if (by === 'Unavailable') throw new EventStoreError('Unavailable', 'injected');
    if (by === 'lost, not written') throw new EventStoreError('Unknown', 'injected');
    const result = await write(steps);
    if (by === 'lost, written') throw new EventStoreError('Unknown', 'injected');
    return result;
  };
  return Object.assign(store, { execute });
}

type History = readonly { readonly stream: string; readonly contents: readonly JsonObject[] }[];
type Stop = { readonly at: number; readonly by: string };

async function storeOf(history: History): Promise<ReusableStore> {
  const store = new ReusableStore(new MemoryEventStore());
  for (const { stream, contents } of history) await write(store, stream, ...contents);
  return store;
}

async function expectBeginning(source: EventStore, target: EventStore): Promise<void> {
  const held = await contentOf(target);
  expect(held).toEqual((await contentOf(source)).slice(0, held.length));
}

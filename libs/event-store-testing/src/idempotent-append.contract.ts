import { describe, expect, it } from '@jest/globals';
import {
  EventStoreError,
  readWholeStream,
  type AppendResult,
  type ExpectedRevision,
} from '@tillstream/event-store';
import { numberedEvent, numberedEvents, type ContractTest } from './event-store.contract.js';

export function idempotentAppendContract(test: ContractTest): void {
  describe('an append repeated with the same ids', () => {
    it.each<[string, ExpectedRevision]>([
      ["under 'none'", 'none'],
      ['under an exact revision', 1],
      ["under 'any'", 'any'],
    ])(
      '%s returns the original revision and position and writes nothing, also when other events followed',
      async (_, expected) => {
        const stream = test.stream();
        const first = { stream, expected, events: numberedEvents(3) };
        if (expected !== 'none')
          await test.store.append({ stream, expected: 'none', events: numberedEvents(2) });
        const original = await test.store.append(first);
        expect(original.kind).toBe('Appended');
        expect(await test.store.append(first)).toEqual(original);
        await test.store.append({ stream, expected: 'any', events: numberedEvents(2) });
        expect(await test.store.append(first)).toEqual(original);
        if (test.durable) expect(await (await test.reopen()).append(first)).toEqual(original);
        expect(await readWholeStream(test.store, stream)).toHaveLength(expected === 'none' ? 5 : 7);
      },
    );

    it('at the same time is written once', async () => {
      const append = { stream: test.stream(), expected: 'none' as const, events: numberedEvents(2) };
      // A store may reject some of them with `Unknown`: these are repeated, as the port requires.
      const definite = (): Promise<AppendResult> =>
        test.store.append(append).catch((error: unknown) => {
          if (error instanceof EventStoreError && error.code === 'Unknown') return definite();
          throw error;
        });
      const results = await Promise.all(Array.from({ length: 20 }, definite));
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
      expect(results[0]).toMatchObject({ kind: 'Appended', revision: 1 });
      expect(await readWholeStream(test.store, append.stream)).toHaveLength(2);
    });

    it.each<ExpectedRevision>(['none', 'any'])(
      "conflicts under '%s' if only the first id is the same, or if more events follow it",
      async (expected) => {
        const stream = test.stream();
        const events = numberedEvents(2);
        await test.store.append({ stream, expected: 'none', events });
        const conflict = { kind: 'Conflict', actual: 1 };
        const otherRest = [...events.slice(0, 1), numberedEvent(7)];
        expect(await test.store.append({ stream, expected, events: otherRest })).toEqual(conflict);
        expect(await test.store.append({ stream, expected, events: [...events, numberedEvent(7)] })).toEqual(
          conflict,
        );
        expect(await readWholeStream(test.store, stream)).toHaveLength(2);
      },
    );

    it('conflicts under another revision than the original', async () => {
      const stream = test.stream();
      const events = numberedEvents(1);
      await test.store.append({ stream, expected: 'none', events: numberedEvents(2) });
      await test.store.append({ stream, expected: 1, events });
      expect(await test.store.append({ stream, expected: 0, events })).toEqual({
        kind: 'Conflict',
        actual: 2,
      });
      expect(await test.store.append({ stream, expected: 'none', events })).toEqual({
        kind: 'Conflict',
        actual: 2,
      });
    });
  });
}

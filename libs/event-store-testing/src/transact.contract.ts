import { describe, expect, it } from '@jest/globals';
import {
  CHAIN_START,
  ChainVerifier,
  eventHash,
  EventStoreError,
  readWholeStream,
  transact,
  type Append,
  type EventStore,
  type RecordedEvent,
} from '@tillstream/event-store';
import { numberedEvent, numberedEvents, type ContractTest } from './event-store.contract.js';
import { FaultyEventStore } from './faulty-event-store.js';

export function transactContract(test: ContractTest): void {
  describe('transact', () => {
    const count = (history: readonly RecordedEvent[]) => ({
      events: [numberedEvent(history.length)],
      value: history.length,
    });

    it('decides on the whole stream, also a long one, and returns the history with the appended events', async () => {
      const stream = test.stream();
      for (let round = 0; round < 5; round++)
        await test.store.append({ stream, expected: 'any', events: numberedEvents(500) });
      const result = await transact(test.store, { stream, decide: count });
      expect(result).toMatchObject({ kind: 'Done', value: 2500 });
      expect(result.kind === 'Done' && result.history.map((event) => event.revision)).toEqual(
        Array.from({ length: 2501 }, (_, revision) => revision),
      );
    });

    it('returns the history as the store returns it', async () => {
      const stream = test.stream();
      await transact(test.store, { stream, decide: count });
      const result = await transact(test.store, { stream, decide: count });
      expect(result.kind === 'Done' && result.history).toEqual(await readWholeStream(test.store, stream));
    });

    it('can decide on the last events of a long stream', async () => {
      const stream = test.stream();
      for (let number = 0; number < 5; number++) await transact(test.store, { stream, decide: count });
      let revisions: number[] = [];
      await transact(test.store, {
        stream,
        tailEvents: 2,
        decide: (history) => {
          revisions = history.map((event) => event.revision);
          return { events: numberedEvents(1), value: undefined };
        },
      });
      expect(revisions).toEqual([3, 4]);
      expect(firstBroken(await readWholeStream(test.store, stream))).toBeUndefined();
    });

    it('chains every event to the one before it by a hash of its content', async () => {
      const stream = test.stream();
      for (let round = 0; round < 3; round++)
        await transact(test.store, { stream, decide: () => ({ events: numberedEvents(3), value: 0 }) });
      const events = await readWholeStream(test.store, stream);
      let previous = CHAIN_START;
      for (const event of events) {
        expect(event.metadata['hash']).toBe(eventHash(previous, event));
        previous = eventHash(previous, event);
      }
      expect(events).toHaveLength(9);
      expect(firstBroken(events)).toBeUndefined();
    });

    it('writes nothing if the decision has no event', async () => {
      const stream = test.stream();
      const result = await transact(test.store, {
        stream,
        decide: () => ({ events: [], value: 'as it was' }),
      });
      expect(result).toEqual({ kind: 'Done', value: 'as it was', history: [] });
      expect(await readWholeStream(test.store, stream)).toEqual([]);
    });

    it('rejects with what the decision throws, and writes nothing', async () => {
      const stream = test.stream();
      const refuse = (): never => {
        throw new RangeError('more than authorized');
      };
      await expect(transact(test.store, { stream, decide: refuse })).rejects.toThrow(RangeError);
      expect(await readWholeStream(test.store, stream)).toEqual([]);
    });

    it('decides again after a conflict: 32 concurrent decisions on one stream all count', async () => {
      const stream = test.stream();
      const results = await Promise.all(
        Array.from({ length: 32 }, () =>
          transact(test.store, { stream, decide: count, decisionsMax: Infinity }),
        ),
      );
      const values = results.map((result) => (result.kind === 'Done' ? result.value : NaN));
      expect(values.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, value) => value));
      expect(firstBroken(await readWholeStream(test.store, stream))).toBeUndefined();
    });

    it('returns Conflict after the last allowed decision, and has written nothing', async () => {
      const stream = test.stream();
      let decisions = 0;
      const result = await transact(test.store, {
        stream,
        decide: count,
        decisionsMax: 3,
        append: async (append: Append) => {
          decisions += 1;
          await test.store.append({ stream, expected: 'any', events: numberedEvents(1) });
          return test.store.append(append);
        },
      });
      expect(result).toEqual({ kind: 'Conflict' });
      expect(decisions).toBe(3);
      expect(await readWholeStream(test.store, stream)).toHaveLength(3);
    });

    it('reads nothing if the history is known, and decides again if that history is old', async () => {
      const stream = test.stream();
      expect(await transact(test.store, { stream, knownHistory: [], decide: count })).toMatchObject({
        value: 0,
      });
      expect(await transact(test.store, { stream, knownHistory: [], decide: count })).toMatchObject({
        value: 1,
      });
      expect(firstBroken(await readWholeStream(test.store, stream))).toBeUndefined();
    });

    it('reads after a conflict only what was appended after the history that it knows', async () => {
      const stream = test.stream();
      const reads: (number | undefined)[] = [];
      const store = {
        ...{ append: test.store.append.bind(test.store) },
        readStream: (name: string, options?: { readonly from?: number }) => {
          reads.push(options?.from);
          return test.store.readStream(name, options);
        },
      } as EventStore;
      for (let rival = 0; rival < 3; rival++) await transact(test.store, { stream, decide: count });
      const history = await readWholeStream(test.store, stream);
      await transact(test.store, { stream, decide: count });
      const result = await transact(store, { stream, knownHistory: history, decide: count });
      expect(result).toMatchObject({ kind: 'Done', value: 4 });
      expect(reads).toEqual([history.length]);
      expect(firstBroken(await readWholeStream(test.store, stream))).toBeUndefined();
    });

    it.each([true, false])(
      'repeats an append with an unknown result unchanged (written: %s), and never writes it twice',
      async (written) => {
        const faulty = new FaultyEventStore(test.store);
        const stream = test.stream();
        let decisions = 0;
        faulty.inject({ kind: 'LoseAnswer', written }, { times: 3 });
        const result = await transact(faulty, { stream, decide: (history) => (decisions++, count(history)) });
        expect(result).toMatchObject({ kind: 'Done', value: 0 });
        expect(decisions).toBe(1);
        expect(faulty.appends).toHaveLength(4);
        expect(new Set(faulty.appends).size).toBe(1);
        expect(await readWholeStream(test.store, stream)).toHaveLength(1);
      },
    );

    it('decides again only after the unknown append is definite', async () => {
      const faulty = new FaultyEventStore(test.store);
      const stream = test.stream();
      faulty.inject(
        { kind: 'LoseAnswer', written: false },
        { before: () => test.store.append({ stream, expected: 'none', events: numberedEvents(1) }) },
      );
      const result = await transact(faulty, { stream, decide: count });
      expect(result).toMatchObject({ kind: 'Done', value: 1 });
      const [first, repeat, second] = faulty.appends;
      expect(repeat).toBe(first);
      expect(second?.expected).toBe(0);
      expect(await readWholeStream(test.store, stream)).toHaveLength(2);
    });

    it('rejects with Unknown after the timeout, also if the last attempt was Unavailable', async () => {
      const faulty = new FaultyEventStore(test.store);
      const stream = test.stream();
      faulty.inject({ kind: 'LoseAnswer', written: true });
      faulty.inject({ kind: 'Unavailable' }, { times: Infinity });
      const result = transact(faulty, { stream, decide: count, unknownTimeoutMs: 100 });
      await expect(result).rejects.toMatchObject({ code: 'Unknown' });
      await expect(result).rejects.toBeInstanceOf(EventStoreError);
      expect(await readWholeStream(test.store, stream)).toHaveLength(1);
    });

    it('rejects with Unavailable at once: nothing was written', async () => {
      const faulty = new FaultyEventStore(test.store);
      const stream = test.stream();
      faulty.inject({ kind: 'Unavailable' });
      await expect(transact(faulty, { stream, decide: count })).rejects.toMatchObject({
        code: 'Unavailable',
      });
      expect(faulty.appends).toHaveLength(1);
      expect(await readWholeStream(test.store, stream)).toEqual([]);
    });
  });
}

function firstBroken(events: readonly RecordedEvent[]) {
  const verifier = new ChainVerifier();
  return events.map((event) => verifier.check(event)).find((broken) => broken !== undefined);
}

import { describe, expect, it } from '@jest/globals';
import { toHeadersPage, type EventStore } from '@tillstream/event-store';
import { setTimeout as sleep } from 'node:timers/promises';
import { numberedEvents, type ContractTest } from './event-store.contract.js';

/** Headers of events, the head of the store, and listeners for appends. */
export function headersContract(test: ContractTest): void {
  const append = (count: number, store: EventStore = test.store, stream = test.stream()) =>
    store.append({ stream, expected: 'any', events: numberedEvents(count) });

  describe('reading headers', () => {
    it('returns the same pages as reading the events, without data and metadata', async () => {
      for (let round = 0; round < 5; round++) await append(1 + round);
      const categories = [test.category];
      for (const limit of [1, 4, 15, 1000]) {
        const options = { categories, limit };
        const page = await test.store.readAll(options);
        expect(await test.store.readHeaders(options)).toEqual(toHeadersPage(page));
        const rest = { ...options, after: page.next as never };
        expect(await test.store.readHeaders(rest)).toEqual(toHeadersPage(await test.store.readAll(rest)));
      }
    });

    it('rejects the pages that reading the events rejects', async () => {
      await expect(test.store.readHeaders({ limit: 0 })).rejects.toMatchObject({ code: 'Invalid' });
    });
  });

  describe('the head of the store', () => {
    it('is not before the last append, and no event follows it', async () => {
      const appended = await append(3);
      const head = await test.store.head();
      if (appended.kind !== 'Appended' || head === undefined) throw new Error('the store is empty');
      expect(test.store.comparePositions(head, appended.position)).not.toBe(-1);
      expect((await test.store.readAll({ after: head, categories: [test.category] })).events).toEqual([]);
      await append(1);
      const behind = await test.store.readAll({ after: head, categories: [test.category] });
      expect(behind.events).toHaveLength(1);
    });
  });

  describe('a listener for appends', () => {
    const SOON_MS = 2_000;
    /** Counts calls; `next` resolves at the next call. */
    const listening = (store: EventStore) => {
      let calls = 0;
      const end = store.onAppended(() => void (calls += 1));
      return {
        end,
        calls: () => calls,
        async next(cause: () => Promise<unknown>): Promise<boolean> {
          await sleep(150); // false alarms of what was before are over
          const before = calls;
          await cause();
          for (const until = performance.now() + SOON_MS; performance.now() < until; await sleep(5))
            if (calls > before) return true;
          return false;
        },
      };
    };

    it('is called after each append, and not again after its end', async () => {
      const [first, second] = [listening(test.store), listening(test.store)];
      for (let round = 0; round < 3; round++) expect(await first.next(() => append(1))).toBe(true);
      first.end();
      const calls = first.calls();
      expect(await second.next(() => append(1))).toBe(true);
      expect(first.calls()).toBe(calls);
      second.end();
    });

    it('is called after the events can be read', async () => {
      let seen: Promise<number> | undefined;
      const stream = test.stream();
      const end = test.store.onAppended(() => {
        seen = test.store.readStream(stream).then(({ events }) => events.length);
      });
      await append(2, test.store, stream);
      for (const until = performance.now() + SOON_MS; performance.now() < until; await sleep(5))
        if ((await seen) === 2) break;
      expect(await seen).toBe(2);
      end();
    });

    if (test.multiProcess)
      it('is called when another process appends', async () => {
        const other = await test.another();
        const here = listening(test.store);
        for (let round = 0; round < 3; round++) expect(await here.next(() => append(1, other))).toBe(true);
        here.end();
      });
  });
}

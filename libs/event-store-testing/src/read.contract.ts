import { describe, expect, it } from '@jest/globals';
import type { EventStore, ReadAllOptions, RecordedEvent } from '@tillstream/event-store';
import { numberedEvent, numberedEvents, type ContractTest } from './event-store.contract.js';

export function readContract(test: ContractTest): void {
  describe('reading a stream', () => {
    const stream = async (count: number): Promise<string> => {
      const name = test.stream();
      await test.store.append({ stream: name, expected: 'none', events: numberedEvents(count) });
      return name;
    };

    it('returns an empty page for a stream that does not exist', async () => {
      const empty = { events: [], end: true };
      expect(await test.store.readStream(test.stream())).toEqual(empty);
      expect(await test.store.readStream(test.stream(), { direction: 'backwards' })).toEqual(empty);
    });

    it('reads forwards from the first event, in pages, and reports the end', async () => {
      const name = await stream(5);
      expect(numbers(await test.store.readStream(name))).toEqual([0, 1, 2, 3, 4]);
      const first = await test.store.readStream(name, { limit: 3 });
      expect([numbers(first), first.end]).toEqual([[0, 1, 2], false]);
      const rest = await test.store.readStream(name, { from: 3, limit: 2 });
      expect([numbers(rest), rest.end]).toEqual([[3, 4], true]);
    });

    it('reads backwards from the last event, in pages, and reports the end', async () => {
      const name = await stream(5);
      const first = await test.store.readStream(name, { direction: 'backwards', limit: 2 });
      expect([numbers(first), first.end]).toEqual([[4, 3], false]);
      const rest = await test.store.readStream(name, { direction: 'backwards', from: 2, limit: 3 });
      expect([numbers(rest), rest.end]).toEqual([[2, 1, 0], true]);
    });

    it('from beyond the end returns no event forwards, and starts at the last event backwards', async () => {
      const name = await stream(2);
      expect(await test.store.readStream(name, { from: 2 })).toEqual({ events: [], end: true });
      expect(await test.store.readStream(name, { from: 99 })).toEqual({ events: [], end: true });
      expect(numbers(await test.store.readStream(name, { direction: 'backwards', from: 99 }))).toEqual([
        1, 0,
      ]);
    });

    it('returns the same first events with each page size and at each read, also after more appends', async () => {
      const name = test.stream();
      for (let length = 0; length < 6; length += 2) {
        for (const limit of [1, 2, 3, 4, 5, 1000, 2]) {
          const page = await test.store.readStream(name, { limit });
          const there = Math.min(limit, length);
          expect(numbers(page)).toEqual(Array.from({ length: there }, (_, number) => number));
          expect(page.end).toBe(length <= limit);
        }
        const expected = length === 0 ? 'none' : length - 1;
        await test.store.append({
          stream: name,
          expected,
          events: [numberedEvent(length), numberedEvent(length + 1)],
        });
      }
    });

    it.each([0, 1001, 1.5])('rejects a page of %s events', async (limit) => {
      await expect(test.store.readStream(test.stream(), { limit })).rejects.toMatchObject({
        code: 'Invalid',
      });
      await expect(test.store.readAll({ limit })).rejects.toMatchObject({ code: 'Invalid' });
    });
  });

  describe('reading the whole store', () => {
    it('returns every event once, in the order of positions, which is the order within each stream', async () => {
      const streams = Array.from({ length: 10 }, () => test.stream());
      for (let round = 0; round < 3; round++) {
        await Promise.all(
          streams.map((stream) => test.store.append({ stream, expected: 'any', events: numberedEvents(2) })),
        );
      }
      const events = await readAllPages(test.store, { categories: [test.category], limit: 7 });
      expect(events).toHaveLength(60);
      for (const [index, event] of events.entries()) {
        const before = events[index - 1];
        if (before) expect(test.store.comparePositions(before.position, event.position)).toBe(-1);
      }
      for (const stream of streams) {
        const revisions = events.filter((event) => event.stream === stream).map((event) => event.revision);
        expect(revisions).toEqual([0, 1, 2, 3, 4, 5]);
      }
    });

    it('continues after a position, exclusive', async () => {
      const stream = test.stream();
      await test.store.append({ stream, expected: 'none', events: numberedEvents(4) });
      const [, second] = (await test.store.readStream(stream)).events;
      const page = await test.store.readAll({
        after: second?.position as never,
        categories: [test.category],
      });
      expect([numbers(page), page.end]).toEqual([[2, 3], true]);
    });

    it('returns only the requested categories, one or several, in the order of the whole store', async () => {
      const categories = [`${test.category}a`, `${test.category}b`, `${test.category}c`];
      const names: string[] = [];
      for (let round = 0; round < 4; round++) {
        for (const category of categories) {
          names.push(category);
          await test.store.append({
            stream: `${category}-${round}`,
            expected: 'any',
            events: [numberedEvent(names.length)],
          });
        }
      }
      // A category whose name begins with another one's is another category.
      await test.store.append({
        stream: `${test.category}ab-1`,
        expected: 'none',
        events: [numberedEvent(99)],
      });
      const [a = '', b = '', c = ''] = categories;
      const read = async (...wanted: string[]): Promise<unknown[]> =>
        (await readAllPages(test.store, { categories: wanted, limit: 3 })).map(
          (event) => event.data['number'],
        );
      expect(await read(a)).toEqual([1, 4, 7, 10]);
      expect(await read(c, a)).toEqual([1, 3, 4, 6, 7, 9, 10, 12]);
      expect(await read(a, b, c, a)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(await read(`${test.category}d`)).toEqual([]);
    });

    it('returns a position to continue from if no event passes the filter', async () => {
      const appended = await test.store.append({
        stream: test.stream(),
        expected: 'none',
        events: numberedEvents(3),
      });
      const { events, next } = await readToEnd(test.store, { categories: [`${test.category}none`] });
      expect(events).toEqual([]);
      expect(
        appended.kind === 'Appended' && next && test.store.comparePositions(next, appended.position),
      ).not.toBe(-1);
      const stream = `${test.category}none-1`;
      await test.store.append({ stream, expected: 'none', events: [numberedEvent(5)] });
      const page = await test.store.readAll({ after: next as never, categories: [`${test.category}none`] });
      expect(numbers(page)).toEqual([5]);
    });

    it('returns the same position if no event follows it', async () => {
      const append = { stream: test.stream(), expected: 'none' as const, events: numberedEvents(2) };
      const appended = await test.store.append(append);
      const after = appended.kind === 'Appended' ? { after: appended.position } : {};
      const { next } = await readToEnd(test.store, after);
      expect(await test.store.readAll({ after: next as never })).toEqual({ events: [], next, end: true });
    });

    if (test.multiProcess)
      it('sees an append of another process at once', async () => {
        const other = await test.another();
        const stream = test.stream();
        await other.append({ stream, expected: 'none', events: numberedEvents(2) });
        expect(numbers(await test.store.readStream(stream))).toEqual([0, 1]);
        expect(await test.store.append({ stream, expected: 'none', events: numberedEvents(1) })).toEqual({
          kind: 'Conflict',
          actual: 1,
        });
      });
  });
}

function numbers(page: { readonly events: readonly RecordedEvent[] }): unknown[] {
  return page.events.map((event) => event.data['number']);
}

async function readToEnd(store: EventStore, options: ReadAllOptions) {
  const events: RecordedEvent[] = [];
  for (let next = options.after; ;) {
    const page = await store.readAll({ ...options, ...(next && { after: next }) });
    events.push(...page.events);
    next = page.next;
    if (page.end) return { events, next };
  }
}

/** Every event that passes the filter, read page by page. */
export async function readAllPages(
  store: EventStore,
  options: ReadAllOptions = {},
): Promise<RecordedEvent[]> {
  return (await readToEnd(store, options)).events;
}

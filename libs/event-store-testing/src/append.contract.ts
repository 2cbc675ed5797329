import { describe, expect, it } from '@jest/globals';
import {
  APPEND_BYTES_MAX,
  newEventId,
  readWholeStream,
  type Append,
  type NewEvent,
} from '@tillstream/event-store';
import { numberedEvent, numberedEvents, type ContractTest } from './event-store.contract.js';

export function appendContract(test: ContractTest): void {
  describe('append', () => {
    it("writes under 'none' to a stream that does not exist, and conflicts on one that does", async () => {
      const stream = test.stream();
      expect(await append(stream, 'none', numberedEvents(1))).toMatchObject({
        kind: 'Appended',
        revision: 0,
      });
      expect(await append(stream, 'none', numberedEvents(1))).toEqual({ kind: 'Conflict', actual: 0 });
      expect(await readWholeStream(test.store, stream)).toHaveLength(1);
    });

    it('writes under the exact revision of the last event only', async () => {
      const stream = test.stream();
      expect(await append(stream, 0, numberedEvents(1))).toEqual({ kind: 'Conflict', actual: 'none' });
      await append(stream, 'none', numberedEvents(3));
      expect(await append(stream, 1, numberedEvents(1))).toEqual({ kind: 'Conflict', actual: 2 });
      expect(await append(stream, 3, numberedEvents(1))).toEqual({ kind: 'Conflict', actual: 2 });
      expect(await append(stream, 2, numberedEvents(1))).toMatchObject({ kind: 'Appended', revision: 3 });
    });

    it("writes under 'any', also to a stream that exists", async () => {
      const stream = test.stream();
      expect(await append(stream, 'any', numberedEvents(2))).toMatchObject({ kind: 'Appended', revision: 1 });
      expect(await append(stream, 'any', numberedEvents(1))).toMatchObject({ kind: 'Appended', revision: 2 });
    });

    it('returns each event as it was written, with its stream, revision and position', async () => {
      const stream = test.stream();
      const event: NewEvent = {
        id: newEventId(),
        type: 'Ünïcode 支払い',
        data: {
          text: 'é "quoted" \n \u2028 😀',
          amount: 9007199254740991,
          list: [1, null, { deep: true }],
          empty: {},
        },
        metadata: { actor: 'key_1' },
      };
      const appended = await append(stream, 'none', [event]);
      const [read] = await readWholeStream(test.store, stream);
      expect(appended.kind).toBe('Appended');
      expect(read).toEqual({
        ...event,
        stream,
        revision: 0,
        position: appended.kind === 'Appended' && appended.position,
      });
    });

    it('writes several events in order, all or none', async () => {
      const stream = test.stream();
      await append(stream, 'none', numberedEvents(500));
      const events = await readWholeStream(test.store, stream);
      expect(events.map((event) => [event.revision, event.data['number']])).toEqual(
        Array.from({ length: 500 }, (_, number) => [number, number]),
      );
      await append(stream, 3, numberedEvents(5));
      await expect(
        append(stream, 499, [...numberedEvents(2), { ...numberedEvent(3), type: '' }]),
      ).rejects.toThrow();
      expect(await readWholeStream(test.store, stream)).toHaveLength(500);
    });

    it('accepts 1 MiB of data and metadata, and rejects one byte more without writing', async () => {
      const stream = test.stream();
      await expect(append(stream, 'none', [ofBytes(APPEND_BYTES_MAX + 1)])).rejects.toMatchObject({
        code: 'TooLarge',
      });
      const halves = [ofBytes(APPEND_BYTES_MAX / 2), ofBytes(APPEND_BYTES_MAX / 2 + 1)];
      await expect(append(stream, 'none', halves)).rejects.toMatchObject({ code: 'TooLarge' });
      expect(await append(stream, 'none', [ofBytes(APPEND_BYTES_MAX)])).toMatchObject({
        kind: 'Appended',
        revision: 0,
      });
      expect(await readWholeStream(test.store, stream)).toHaveLength(1);
    });

    it.each<[string, Partial<Append>]>([
      ['no event', { events: [] }],
      ['an empty stream name', { stream: '' }],
      ['an empty type', { events: [{ ...numberedEvent(0), type: '' }] }],
      ['an id that is no UUID', { events: [{ ...numberedEvent(0), id: 'trx_1' }] }],
      ['an id twice', { events: [numberedEvent(0)].flatMap((event) => [event, event]) }],
      ['a number that JSON can not hold', { events: [{ ...numberedEvent(0), data: { amount: NaN } }] }],
      [
        'a value that JSON would change',
        { events: [{ ...numberedEvent(0), data: { at: new Date() as never } }] },
      ],
    ])('refuses %s as Invalid', async (_, wrong) => {
      const right: Append = { stream: test.stream(), expected: 'none', events: numberedEvents(1) };
      await expect(test.store.append({ ...right, ...wrong })).rejects.toMatchObject({ code: 'Invalid' });
    });

    it('lets one of 64 racing writers win', async () => {
      const stream = test.stream();
      await append(stream, 'none', numberedEvents(1));
      const results = await Promise.all(
        Array.from({ length: 64 }, (_, n) => append(stream, 0, [numberedEvent(n)])),
      );
      expect(results.filter((result) => result.kind === 'Appended')).toHaveLength(1);
      expect(results.filter((result) => result.kind === 'Conflict' && result.actual === 1)).toHaveLength(63);
      const winner = results.findIndex((result) => result.kind === 'Appended');
      const events = await readWholeStream(test.store, stream);
      expect(events.map((event) => event.data['number'])).toEqual([0, winner]);
    });

    it('does not affect other appends of the same group by a conflict or a rejection', async () => {
      const taken = test.stream();
      await append(taken, 'none', numberedEvents(1));
      const streams = Array.from({ length: 30 }, () => test.stream());
      const results = await Promise.allSettled(
        streams.flatMap((stream) => [
          append(stream, 'none', numberedEvents(2)),
          append(taken, 'none', numberedEvents(2)),
          append(test.stream(), 'none', [{ ...numberedEvent(0), id: 'wrong' }]),
        ]),
      );
      const outcomes = results.map((result) =>
        result.status === 'fulfilled' ? result.value.kind : 'Refused',
      );
      expect(outcomes).toEqual(streams.flatMap(() => ['Appended', 'Conflict', 'Refused']));
      for (const stream of streams) expect(await readWholeStream(test.store, stream)).toHaveLength(2);
      expect(await readWholeStream(test.store, taken)).toHaveLength(1);
    });

    if (test.durable)
      it('keeps all events over close and open, and finishes appends in flight before it closes', async () => {
        const streams = Array.from({ length: 20 }, () => test.stream());
        const appends = Promise.all(streams.map((stream) => append(stream, 'none', numberedEvents(2))));
        const reopened = await test.reopen();
        expect((await appends).every((result) => result.kind === 'Appended')).toBe(true);
        for (const stream of streams) expect(await readWholeStream(reopened, stream)).toHaveLength(2);
      });

    it('rejects with Unavailable after close', async () => {
      await test.store.close();
      await expect(append(test.stream(), 'none', numberedEvents(1))).rejects.toMatchObject({
        code: 'Unavailable',
      });
      await expect(test.store.readStream(test.stream())).rejects.toMatchObject({ code: 'Unavailable' });
    });
  });

  function append(stream: string, expected: Append['expected'], events: readonly NewEvent[]) {
    return test.store.append({ stream, expected, events });
  }
}

function ofBytes(bytes: number): NewEvent {
  const empty = { ...numberedEvent(0), data: { text: '' } };
  return { ...empty, data: { text: 'x'.repeat(bytes - '{"text":""}{}'.length) } };
}

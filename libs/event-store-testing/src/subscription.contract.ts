import { describe, expect, it } from '@jest/globals';
import { readWholeStream, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { numberedEvent, numberedEvents, type ContractTest } from './event-store.contract.js';
import { readAllPages } from './read.contract.js';
import { RecordingSubscriber } from './recording-subscriber.js';

export function subscriptionContract(test: ContractTest): void {
  describe('a subscription', () => {
    const append = (count: number, stream = test.stream(), store: EventStore = test.store) =>
      store.append({ stream, expected: 'any', events: numberedEvents(count) });
    const mine = (): { categories: string[] } => ({ categories: [test.category] });

    it('catches up with history, reports it once, then continues live', async () => {
      const stream = test.stream();
      await append(600, stream);
      const seen = new RecordingSubscriber();
      test.store.subscribeToAll(mine(), seen);
      await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
      expect(seen.events).toEqual(await readWholeStream(test.store, stream));
      for (let count = 601; count <= 605; count++) {
        await append(1, stream);
        await seen.until(({ events }) => events.length === count);
      }
      expect(seen.events).toEqual(await readWholeStream(test.store, stream));
      expect(seen.caughtUpCount).toBe(1);
    });

    it('reports that it has caught up in a store without a matching event', async () => {
      const seen = new RecordingSubscriber();
      test.store.subscribeToAll(mine(), seen);
      await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
      await append(1);
      await seen.until(({ events }) => events.length === 1);
    });

    it('resumes after the given position, exclusive', async () => {
      const stream = test.stream();
      await append(5, stream);
      const third = (await readWholeStream(test.store, stream))[2] as RecordedEvent;
      const seen = new RecordingSubscriber();
      test.store.subscribeToAll({ ...mine(), after: third.position }, seen);
      await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
      expect(seen.events.map((event) => event.revision)).toEqual([3, 4]);
    });

    it('delivers one event at a time, and the next only when the last is handled', async () => {
      let inHand = 0;
      let most = 0;
      const seen = new RecordingSubscriber(async () => {
        most = Math.max(most, ++inHand);
        await pause(1);
        inHand -= 1;
      });
      test.store.subscribeToAll(mine(), seen);
      await Promise.all(Array.from({ length: 20 }, () => append(2)));
      await seen.until(({ events }) => events.length === 40);
      expect(most).toBe(1);
    });

    it('loses, skips and reorders nothing when its buffer overflows, and reports again that it has caught up', async () => {
      let release: () => void = () => undefined;
      const blocked = new Promise<void>((resolve) => (release = resolve));
      const seen = new RecordingSubscriber(({ data }) => (data['number'] === -1 ? blocked : undefined));
      test.store.subscribeToAll({ ...mine(), buffer: 10 }, seen);
      await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
      await test.store.append({ stream: test.stream(), expected: 'none', events: [numberedEvent(-1)] });
      for (let round = 0; round < 20; round++) await append(10);
      release();
      await seen.until(({ caughtUpCount }) => caughtUpCount >= 2);
      await seen.until(({ events }) => events.length === 201);
      expect(seen.events).toEqual(await readAllPages(test.store, mine()));
    });

    it('loses, skips, repeats and reorders nothing between catching up and live under concurrent writers', async () => {
      await append(300);
      let writing = true;
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; writing; count++) {
          await append(1 + (count % 3));
          await (writer === 0 ? pause(1) : nextTurn());
        }
      });
      const subscribers = [1, 7, 1000].map((buffer) => {
        const seen = new RecordingSubscriber();
        test.store.subscribeToAll({ ...mine(), buffer }, seen);
        return seen;
      });
      await pause(150);
      const late = new RecordingSubscriber();
      test.store.subscribeToAll(mine(), late);
      await pause(150);
      writing = false;
      await Promise.all(writers);
      const all = (await readAllPages(test.store, mine())).map((event) => event.position);
      for (const seen of [...subscribers, late]) {
        await seen.until(({ events }) => events.length >= all.length);
        expect(seen.events.map((event) => event.position)).toEqual(all);
      }
    });

    it('delivers only committed events: each can be read at once, and none is of an append that failed', async () => {
      const unreadable: RecordedEvent[] = [];
      const seen = new RecordingSubscriber(async (event) => {
        const { events } = await test.store.readStream(event.stream, { from: event.revision, limit: 1 });
        if (events[0]?.id !== event.id) unreadable.push(event);
      });
      test.store.subscribeToAll(mine(), seen);
      const acknowledged: string[] = [];
      const contested = test.stream();
      await Promise.all(
        Array.from({ length: 60 }, async (_, number) => {
          const events = [numberedEvent(number), numberedEvent(number)];
          const stream = number % 2 === 0 ? contested : test.stream();
          const result = await test.store.append({ stream, expected: 'none', events });
          if (result.kind === 'Appended') acknowledged.push(...events.map((event) => event.id));
        }),
      );
      await seen.until(({ events }) => events.length >= acknowledged.length);
      expect(acknowledged).toHaveLength(62);
      expect(seen.events.map((event) => event.id).sort()).toEqual(acknowledged.sort());
      expect(unreadable).toEqual([]);
    });

    it('reports checkpoints if no event passes the filter', async () => {
      await append(3);
      const [last] = (await readAllPages(test.store, mine())).slice(-1);
      const seen = new RecordingSubscriber();
      test.store.subscribeToAll({ categories: [`${test.category}other`] }, seen);
      const isPast = (checkpoint: Position): boolean =>
        last !== undefined && test.store.comparePositions(checkpoint, last.position) !== -1;
      await seen.until(({ checkpoints, caughtUpCount }) => caughtUpCount > 0 && checkpoints.some(isPast));
      const ascending = seen.checkpoints.toSorted((a, b) => test.store.comparePositions(a, b));
      expect(seen.checkpoints).toEqual(ascending);
      expect(seen.events).toEqual([]);
    });

    it('stops after the event that it is handling, and calls the subscriber no more', async () => {
      const seen = new RecordingSubscriber(() => pause(20));
      await append(10);
      const subscription = test.store.subscribeToAll(mine(), seen);
      await seen.until(({ events }) => events.length === 2);
      await subscription.stop();
      const count = seen.events.length;
      await append(3);
      await pause(100);
      expect(seen.events).toHaveLength(count);
      expect(count).toBeLessThan(10);
      expect(seen.failures).toEqual([]);
    });

    it('ends with the error that the subscriber throws, and does not affect others', async () => {
      const broken = new RecordingSubscriber(({ revision }) => {
        if (revision === 2) throw new Error('cannot handle it');
      });
      const seen = new RecordingSubscriber();
      test.store.subscribeToAll(mine(), broken);
      test.store.subscribeToAll(mine(), seen);
      await append(5);
      await broken.until(({ failures }) => failures.length === 1);
      await seen.until(({ events }) => events.length === 5);
      await append(1);
      await seen.until(({ events }) => events.length === 6);
      expect(broken.failures).toEqual([new Error('cannot handle it')]);
      expect(broken.events).toHaveLength(2);
    });

    if (test.multiProcess)
      it('delivers appends of another process', async () => {
        const seen = new RecordingSubscriber();
        test.store.subscribeToAll(mine(), seen);
        await seen.until(({ caughtUpCount }) => caughtUpCount === 1);
        const other = await test.another();
        const stream = test.stream();
        for (let count = 1; count <= 5; count++) {
          await append(1, stream, other);
          await seen.until(({ events }) => events.length === count);
        }
        expect(seen.events.map((event) => event.revision)).toEqual([0, 1, 2, 3, 4]);
      });
  });
}

import { setTimeout as pause } from 'node:timers/promises';
import type { ReadAll, Subscriber } from './event-store.js';
import { newEventId } from './event-id.js';
import { MemoryEventStore } from './memory-event-store.js';
import { ReadingSubscription, WakeUp } from './subscription.js';

describe('a subscription that reads', () => {
  it('never asks for more events than its buffer holds, and never holds the event loop for more than a page', async () => {
    const store = await storeOf(700);
    const limits: unknown[] = [];
    const read = (options: ReadAll) => (limits.push(options.limit), store.readAll(options));
    let turns = 0;
    let ticking = true;
    const tick = (): void => {
      turns += 1;
      if (ticking) setImmediate(tick);
    };
    tick();
    await caughtUp((subscriber) => new ReadingSubscription(read, new WakeUp(), { buffer: 5 }, subscriber));
    ticking = false;
    expect(new Set(limits)).toEqual(new Set([5]));
    expect(turns).toBeGreaterThanOrEqual(140);
    limits.length = 0;
    await caughtUp((subscriber) => new ReadingSubscription(read, new WakeUp(), {}, subscriber));
    expect(limits).toEqual([250, 250, 250]);
  });

  it('reads nothing while nothing wakes it, and once more for a wake-up during a read', async () => {
    const store = await storeOf(1);
    const wakeUp = new WakeUp();
    let reads = 0;
    const read = async (options: ReadAll) => {
      reads += 1;
      if (reads === 1) wakeUp.notify();
      return store.readAll(options);
    };
    const subscription = new ReadingSubscription(read, wakeUp, {}, { event: () => undefined });
    await pause(50);
    expect(reads).toBe(2);
    wakeUp.notify();
    wakeUp.notify();
    await pause(50);
    expect(reads).toBe(3);
    await subscription.stop();
    expect(wakeUp.listeners).toBe(0);
  });

  it('ends with the error of the store, and says it', async () => {
    const broken = new Error('disk gone');
    const failure = await new Promise((failed) => {
      void new ReadingSubscription(
        () => Promise.reject(broken),
        new WakeUp(),
        {},
        { event: () => undefined, failed },
      );
    });
    expect(failure).toBe(broken);
  });

  it('refuses a buffer that holds nothing', async () => {
    const store = await storeOf(1);
    const failure = await new Promise((failed) =>
      store.subscribeToAll({ buffer: 0 }, { event: () => undefined, failed }),
    );
    expect(failure).toMatchObject({ code: 'Invalid' });
  });

  it('tells of a checkpoint at most once a second, however often nothing fits', async () => {
    const store = await storeOf(1);
    let checkpoints = 0;
    const subscriber: Subscriber = { event: () => undefined, checkpoint: () => void (checkpoints += 1) };
    const subscription = store.subscribeToAll({ categories: ['other'] }, subscriber);
    for (let count = 0; count < 20; count++) {
      await store.append({ stream: 'test-2', expected: 'any', events: [event()] });
      await pause(2);
    }
    expect(checkpoints).toBe(1);
    await subscription.stop();
  });
});

const event = () => ({ id: newEventId(), type: 'Counted', data: {}, metadata: {} });

async function storeOf(count: number): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  await store.append({ stream: 'test-1', expected: 'none', events: Array.from({ length: count }, event) });
  return store;
}

async function caughtUp(subscribe: (subscriber: Subscriber) => ReadingSubscription): Promise<void> {
  let subscription: ReadingSubscription | undefined;
  await new Promise<void>((resolve) => {
    subscription = subscribe({ event: () => undefined, caughtUp: () => resolve() });
  });
  await subscription?.stop();
}

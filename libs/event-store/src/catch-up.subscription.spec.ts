import { setTimeout as pause } from 'node:timers/promises';
import type { ReadAllOptions, Subscriber } from './event-store.js';
import { newEventId } from './event-id.js';
import { MemoryEventStore } from './memory-event-store.js';
import { CatchUpSubscription, AppendNotifier } from './catch-up.subscription.js';

describe('CatchUpSubscription', () => {
  it('never reads more events than its buffer holds, and never blocks the event loop for more than a page', async () => {
    const store = await storeWith(700);
    const limits: unknown[] = [];
    const read = (options: ReadAllOptions) => (limits.push(options.limit), store.readAll(options));
    let turns = 0;
    let ticking = true;
    const tick = (): void => {
      turns += 1;
      if (ticking) setImmediate(tick);
    };
    tick();
    await runUntilCaughtUp(
      (subscriber) => new CatchUpSubscription(read, new AppendNotifier(), { buffer: 5 }, subscriber),
    );
    ticking = false;
    expect(new Set(limits)).toEqual(new Set([5]));
    expect(turns).toBeGreaterThanOrEqual(140);
    limits.length = 0;
    await runUntilCaughtUp(
      (subscriber) => new CatchUpSubscription(read, new AppendNotifier(), {}, subscriber),
    );
    expect(limits).toEqual([250, 250, 250]);
  });

  it('reads only after a notification, and once more for a notification during a read', async () => {
    const store = await storeWith(1);
    const notifier = new AppendNotifier();
    let reads = 0;
    const read = async (options: ReadAllOptions) => {
      reads += 1;
      if (reads === 1) notifier.notify();
      return store.readAll(options);
    };
    const subscription = new CatchUpSubscription(read, notifier, {}, { onEvent: () => undefined });
    await pause(50);
    expect(reads).toBe(2);
    notifier.notify();
    notifier.notify();
    await pause(50);
    expect(reads).toBe(3);
    await subscription.stop();
    expect(notifier.listenerCount).toBe(0);
  });

  it('ends with the error of the store, and reports it', async () => {
    const broken = new Error('the disk failed');
    const failure = await new Promise((onFailure) => {
      void new CatchUpSubscription(
        () => Promise.reject(broken),
        new AppendNotifier(),
        {},
        { onEvent: () => undefined, onFailure },
      );
    });
    expect(failure).toBe(broken);
  });

  it('refuses a buffer of 0 events', async () => {
    const store = await storeWith(1);
    const failure = await new Promise((onFailure) =>
      store.subscribeToAll({ buffer: 0 }, { onEvent: () => undefined, onFailure }),
    );
    expect(failure).toMatchObject({ code: 'Invalid' });
  });

  it('reports at most one checkpoint per second while no event passes its filter', async () => {
    const store = await storeWith(1);
    let checkpoints = 0;
    const subscriber: Subscriber = { onEvent: () => undefined, onCheckpoint: () => void (checkpoints += 1) };
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

async function storeWith(count: number): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  await store.append({ stream: 'test-1', expected: 'none', events: Array.from({ length: count }, event) });
  return store;
}

async function runUntilCaughtUp(subscribe: (subscriber: Subscriber) => CatchUpSubscription): Promise<void> {
  let subscription: CatchUpSubscription | undefined;
  await new Promise<void>((resolve) => {
    subscription = subscribe({ onEvent: () => undefined, onCaughtUp: () => resolve() });
  });
  await subscription?.stop();
}

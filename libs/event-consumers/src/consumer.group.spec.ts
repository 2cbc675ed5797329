import { MemoryEventStore, newEventId } from '@tillstream/event-store';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup } from './consumer.group.js';
import type { Consumer } from './consumer.port.js';
import { MemoryLeases, RecordedEffects, RecordedLog } from './testing/index.js';

let store: MemoryEventStore;
let leases: MemoryLeases;
let effects: RecordedEffects;
let log: RecordedLog;
const groups: ConsumerGroup[] = [];

beforeEach(() => {
  store = new MemoryEventStore();
  leases = new MemoryLeases();
  effects = new RecordedEffects();
  log = new RecordedLog();
});
afterEach(() => Promise.all(groups.splice(0).map((group) => group.stop())));

async function append(count: number, stream = `test-${newEventId()}`): Promise<void> {
  for (let number = 0; number < count; number++) {
    const events = [{ id: newEventId(), type: 'Counted', data: { number }, metadata: {} }];
    await store.append({ stream, expected: 'any', events });
  }
}

/** Each group stands for a process of its own. */
function group(consumers: readonly Consumer[]): ConsumerGroup {
  const parts = { store, leases: leases.otherHolder(), lease: 'tests', log };
  const newGroup = new ConsumerGroup({ ...parts, consumers });
  groups.push(newGroup);
  return newGroup;
}

async function until(condition: () => boolean, withinMs = 5_000): Promise<number> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > withinMs) throw new Error(`not within ${withinMs} ms`);
    await sleep(1);
  }
  return performance.now() - startedAt;
}

const positions = () => effects.headers.map(({ position }) => position);
const all = async (category = 'test') =>
  (await store.readAll({ categories: [category] })).events.map(({ position }) => position);

describe('A consumer', () => {
  it.each(['events', 'headersOnly'] as const)('handles every event once and in order (%s)', async (kind) => {
    await append(25);
    void group([effects[kind]('counter')]).start();
    await until(() => effects.headers.length === 25);
    await append(12);
    await until(() => effects.headers.length === 37);
    expect(positions()).toEqual(await all());
  });

  it('reads its categories only, and its checkpoint is the position of an event that it handled', async () => {
    await append(3);
    await append(5, 'other-1');
    const counter = group([effects.events('counter')]);
    await counter.catchUp();
    const last = (await all()).at(-1);
    expect(effects.checkpoint).toEqual({
      position: last,
      witness: { stream: effects.headers[0]?.stream, revision: 2, position: last },
    });
    await append(1, 'other-1');
    await counter.catchUp();
    expect(effects.pages.moved).toBe(1);
  });

  it('does not read a range without events of its categories twice', async () => {
    await append(1);
    await append(50, 'other-1');
    const starts: unknown[] = [];
    const { readAll } = store;
    store.readAll = (options) => {
      starts.push(options?.after);
      return readAll.call(store, options);
    };
    const counter = group([effects.events('counter')]);
    await counter.catchUp();
    await counter.catchUp();
    expect(starts).toEqual([undefined, await store.head()]);
    expect(positions()).toHaveLength(1);
  });

  it('is woken within tens of milliseconds by an append', async () => {
    void group([effects.events('counter')]).start();
    await sleep(50);
    const waits: number[] = [];
    for (let count = 1; count <= 20; count++) {
      await append(1);
      waits.push(await until(() => effects.headers.length === count));
    }
    // Other work on the machine delays some of them.
    expect(waits.toSorted((a, b) => a - b)[5]).toBeLessThan(30);
  });

  it('handles an event whose wake-up was lost at the next poll', async () => {
    store.onAppended = () => () => undefined;
    void group([effects.events('counter')]).start();
    await sleep(50);
    await append(1);
    expect(await until(() => effects.headers.length === 1)).toBeGreaterThan(500);
  });

  it('collects the events of a short time in one page', async () => {
    void group([effects.events('counter', { wakeUpDelayMs: 200, pageSize: 100 })]).start();
    await sleep(50);
    await append(30);
    await until(() => effects.headers.length === 30);
    expect(effects.pages.moved).toBe(1);
  });

  it('may handle only the first items of a page', async () => {
    await append(25);
    await group([effects.events('counter', { stopAfter: 3 })]).catchUp();
    expect(positions()).toEqual(await all());
    expect(effects.pages.moved).toBe(9);
  });

  it('continues after its checkpoint when it is restarted', async () => {
    await append(15);
    const first = group([effects.events('counter')]);
    void first.start();
    await until(() => effects.headers.length === 15);
    await first.stop();
    await append(5);
    void group([effects.events('counter')]).start();
    await until(() => effects.headers.length === 20);
    expect(positions()).toEqual(await all());
  });

  it('starts again at the first event if the store does not have the last handled event', async () => {
    await append(5);
    await group([effects.events('counter')]).catchUp();
    store = new MemoryEventStore();
    await append(3);
    await group([effects.events('counter')]).catchUp();
    expect(effects.resetCount).toBe(1);
    expect(log.lines).toEqual(['counter started anew']);
    expect(positions()).toEqual(await all());
  });

  it('catches up to the head at the call, while more events are appended', async () => {
    await append(30);
    let appended = 0;
    const counter = group([effects.events('counter', { pageSize: 1, before: () => append(2) })]);
    appended += 30;
    expect(await counter.catchUp()).toBe(true);
    expect(effects.headers).toHaveLength(appended);
  });

  it('stops catching up at the limit of pages', async () => {
    await append(30);
    const counter = group([effects.events('counter')]);
    expect(await counter.catchUp({ pages: 2 })).toBe(false);
    expect(effects.headers).toHaveLength(20);
    expect((await counter.status())[0]).toEqual({
      ...{ name: 'counter', state: 'Running', reason: undefined },
      ...{ position: positions().at(-1), lagEvents: 10 },
    });
  });
});

describe('Two processes', () => {
  it('never handle events at the same time: the second takes over after an orderly stop of the first', async () => {
    const [first, second] = [group([effects.events('counter')]), group([effects.events('counter')])];
    void first.start();
    void second.start();
    await append(20);
    await until(() => effects.headers.length === 20);
    expect([first.leads, second.leads]).toEqual([true, false]);
    expect(effects.pages.fenced).toBe(0);
    await first.stop();
    await append(1);
    await until(() => effects.headers.length === 21, 2_500);
    expect(second.leads).toBe(true);
  });

  it('never both write a page: a process that was paused while the other continued is fenced', async () => {
    await append(10);
    let resume = (): void => undefined;
    const paused = new Promise<void>((resolve) => (resume = resolve));
    let isHandling = false;
    const before = async (): Promise<void> => {
      if (isHandling) return;
      isHandling = true;
      await paused;
    };
    const first = group([effects.events('counter', { before })]);
    void first.start();
    await until(() => isHandling);
    await append(5);
    await group([effects.events('counter')]).catchUp();
    expect(effects.headers).toHaveLength(15);
    resume();
    await until(() => effects.pages.fenced === 1);
    await append(5);
    await until(() => effects.headers.length === 20);
    expect(positions()).toEqual(await all());
  });

  it('stop only after the current page', async () => {
    await append(1);
    let isHandling = false;
    const before = async (): Promise<void> => {
      isHandling = true;
      await sleep(100);
    };
    const counter = group([effects.events('counter', { before })]);
    void counter.start();
    await until(() => isHandling);
    await counter.stop();
    expect(effects.headers).toHaveLength(1);
  });
});

describe('A consumer that fails', () => {
  const broken = new Error('no such event');
  /** Fails permanently on the event with this revision. */
  const haltingAt = (revision: () => number) => ({
    isPermanent: (error: unknown) => error === broken,
    before: ({ items }: { readonly items: readonly { readonly revision: number }[] }) => {
      if (items.some((item) => item.revision === revision())) throw broken;
    },
  });

  it('repeats the page after a passing failure, and reports the failure once', async () => {
    let failures = 3;
    const before = (): void => {
      if (failures-- > 0) throw new Error('the disk is full');
    };
    await append(3);
    const counter = group([effects.events('counter', { before })]);
    void counter.start();
    await until(() => effects.headers.length === 3);
    await until(() => log.lines.length === 2);
    expect(log.lines).toEqual(['counter fails: the disk is full', 'counter recovered']);
    expect((await counter.status())[0]?.state).toBe('Running');
  });

  it('halts at the event that it cannot handle, after all events before it, and skips none', async () => {
    await append(25, 'test-1');
    const counter = group([
      effects.events(
        'counter',
        haltingAt(() => 17),
      ),
    ]);
    void counter.start();
    await until(() => log.lines.length > 0);
    expect(positions()).toEqual((await all()).slice(0, 17));
    expect(log.lines).toEqual([`counter halted after ${positions().at(-1)}: no such event`]);
    expect((await counter.status())[0]).toMatchObject({
      state: 'Halted',
      reason: 'no such event',
      lagEvents: 8,
    });
    await append(5, 'test-1');
    await sleep(50);
    expect(effects.headers).toHaveLength(17);
  });

  it('does not delay the other consumers of its group', async () => {
    await append(25, 'test-1');
    const healthy = new RecordedEffects();
    void group([
      effects.events(
        'counter',
        haltingAt(() => 3),
      ),
      healthy.events('other'),
    ]).start();
    await until(() => healthy.headers.length === 25);
    expect(effects.headers.length).toBeLessThanOrEqual(3);
  });

  it('continues when a newer version can handle the event', async () => {
    await append(25, 'test-1');
    let unknown = 17;
    const counter = group([
      effects.events(
        'counter',
        haltingAt(() => unknown),
      ),
    ]);
    await expect(counter.catchUp()).rejects.toBe(broken);
    expect(effects.headers).toHaveLength(17);
    unknown = -1;
    await counter.catchUp();
    expect(positions()).toEqual(await all());
  });
});

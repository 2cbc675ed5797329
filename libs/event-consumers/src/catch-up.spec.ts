import { MemoryEventStore, newEventId } from '@tillstream/event-store';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup } from './consumer.group.js';
import type { Consumer, EventConsumer } from './consumer.port.js';
import { MemoryLeases, RecordedEffects, RecordedLog } from './testing/index.js';

let store: MemoryEventStore;
let effects: RecordedEffects;
let log: RecordedLog;
const groups: ConsumerGroup[] = [];

beforeEach(() => {
  store = new MemoryEventStore();
  effects = new RecordedEffects();
  log = new RecordedLog();
});
afterEach(() => Promise.all(groups.splice(0).map((group) => group.stop())));

async function append(count: number, stream = 'test-1'): Promise<void> {
  for (let number = 0; number < count; number++) {
    const events = [{ id: newEventId(), type: 'Counted', data: { number }, metadata: {} }];
    await store.append({ stream, expected: 'any', events });
  }
}

function group(consumers: readonly Consumer[]): ConsumerGroup {
  const newGroup = new ConsumerGroup({ store, leases: new MemoryLeases(), lease: 'tests', log, consumers });
  groups.push(newGroup);
  return newGroup;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1);
}

describe('A consumer that is paused', () => {
  let paused = true;
  const consumer = (): Consumer => {
    const events = effects.events('counter');
    const handle: EventConsumer['handle'] = async (page) =>
      paused ? { kind: 'Paused' } : events.handle(page);
    return { ...events, handle };
  };
  beforeEach(() => (paused = true));

  it('reads its events again, and reports nothing', async () => {
    await append(3);
    let reads = 0;
    const { readAll } = store;
    store.readAll = (options) => {
      reads += 1;
      return readAll.call(store, options);
    };
    void group([consumer()]).start();
    await sleep(100);
    // The page is not read again before the next wake-up.
    expect(reads).toBe(1);
    paused = false;
    await append(1);
    await until(() => effects.headers.length === 4);
    expect(log.lines).toEqual([]);
  });

  it('does not catch up', async () => {
    await append(3);
    expect(await group([consumer()]).catchUp()).toBe(false);
    expect(effects.headers).toEqual([]);
  });
});

describe('Catching up', () => {
  it('continues with the other consumers after one failed, and rejects at the end', async () => {
    await append(25, 'test-1');
    const healthy = new RecordedEffects();
    const slow = healthy.events('other', { before: () => sleep(10) });
    const broken = new Error('no such event');
    const before = (): never => {
      throw broken;
    };
    const failing = effects.events('counter', { before });
    await expect(group([failing, slow]).catchUp()).rejects.toBe(broken);
    expect(healthy.headers).toHaveLength(25);
  });

  it('ends when its group stops', async () => {
    await append(30);
    const counter = group([effects.events('counter', { pageSize: 1, before: () => sleep(10) })]);
    const caughtUp = counter.catchUp();
    await until(() => effects.headers.length > 0);
    await counter.stop();
    expect(await caughtUp).toBe(false);
    expect(effects.headers.length).toBeLessThan(30);
  });
});

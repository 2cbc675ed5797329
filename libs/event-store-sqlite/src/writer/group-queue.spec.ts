import { GroupQueue } from './group-queue.js';
import type { WriterResult, SerialisedUnit } from './writer.messages.js';

const LIMITS = { groupUnitsMax: 64, groupBytesMax: 10_000, queueUnitsMax: 100 };
const CHEAP_MS = 0.1;
const EXPENSIVE_MS = 20;

describe('GroupQueue', () => {
  let queue: GroupQueue;
  let sent: (readonly SerialisedUnit[])[];
  let now: number;
  beforeEach(() => {
    now = 0;
    queue = new GroupQueue(LIMITS, () => now);
    sent = [];
  });

  const add = (count: number, bytes = 1): void => {
    for (let unit = 0; unit < count; unit++) queue.add([], bytes).catch(() => undefined);
  };
  const send = (): number[] => {
    const sizes: number[] = [];
    for (let group; (group = queue.nextGroup()) !== undefined;) {
      sent.push(group);
      sizes.push(group.length);
    }
    return sizes;
  };
  const settle = (commitMs: number): void => {
    const done = (sent.shift() ?? []).map((): WriterResult => ({ kind: 'Done', steps: [] }));
    expect(queue.settle(done, commitMs)).toBe(done.length > 0);
  };
  const commitOne = (commitMs: number): void => {
    add(1);
    send();
    settle(commitMs);
  };

  it('sends all waiting units in one group, and one more group, before it knows the cost of a commit', () => {
    add(50);
    expect(send()).toEqual([50]);
    add(20);
    expect(send()).toEqual([20]);
    add(10);
    expect(send()).toEqual([]);
    settle(EXPENSIVE_MS);
    expect(send()).toEqual([10]);
  });

  it('sends whole groups if a commit costs more than the work of the main thread', () => {
    commitOne(EXPENSIVE_MS);
    add(60);
    expect(send()).toEqual([60]);
  });

  it('sends halves of the outstanding units if commits are cheap', () => {
    commitOne(CHEAP_MS);
    now += 0.2;
    commitOne(CHEAP_MS);
    add(60);
    expect(send()).toEqual([30, 30]);
    add(9);
    expect(send()).toEqual([]);
    settle(CHEAP_MS);
    expect(send()).toEqual([9]);
  });

  it('sends thirds if units settle fast, three at most', () => {
    commitOne(CHEAP_MS);
    now += 0.03;
    commitOne(CHEAP_MS);
    add(60);
    expect(send()).toEqual([20, 20, 20]);
    add(9);
    expect(send()).toEqual([]);
    settle(CHEAP_MS);
    // A third of the 49 outstanding units, but only 9 wait.
    expect(send()).toEqual([9]);
  });

  it('limits a group in units and bytes; a larger append goes alone', () => {
    add(90);
    expect(send()).toEqual([64, 26]);
    settle(EXPENSIVE_MS);
    settle(EXPENSIVE_MS);
    add(3, 4_000);
    expect(send()).toEqual([2, 1]);
    settle(EXPENSIVE_MS);
    settle(EXPENSIVE_MS);
    add(1, 20_000);
    add(1);
    expect(send()).toEqual([1, 1]);
  });

  it('rejects units beyond the limit, and settles each unit with its own result', async () => {
    const first = queue.add([], 1);
    const second = queue.add([], 1);
    add(98);
    await expect(queue.add([], 1)).rejects.toMatchObject({ code: 'Unavailable' });
    queue.nextGroup();
    expect(
      queue.settle(
        [
          { kind: 'Failed', code: 'Unknown', message: 'the result is unknown' },
          { kind: 'Done', steps: [] },
        ],
        1,
      ),
    ).toBe(true);
    await expect(first).rejects.toMatchObject({ code: 'Unknown', message: 'the result is unknown' });
    expect(await second).toEqual({ kind: 'Done', steps: [] });
    expect(queue.isEmpty).toBe(false);
  });
});

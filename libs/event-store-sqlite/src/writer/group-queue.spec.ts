import { GroupQueue } from './group-queue.js';
import type { WriterResult, SerialisedUnit } from './writer.messages.js';

const LIMITS = { groupUnitsMax: 64, groupBytesMax: 10_000, queueUnitsMax: 100 };
const CHEAP_MS = 0.1;
const DEAR_MS = 20;

describe('The writer’s queue', () => {
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
  const afterCommitsOf = (commitMs: number): void => {
    add(1);
    send();
    settle(commitMs);
  };

  it('sends all that waits in one group, and the next beside it, before it knows what a commit costs', () => {
    add(50);
    expect(send()).toEqual([50]);
    add(20);
    expect(send()).toEqual([20]);
    add(10);
    expect(send()).toEqual([]);
    settle(DEAR_MS);
    expect(send()).toEqual([10]);
  });

  it('keeps groups whole where a commit costs more than the work around it', () => {
    afterCommitsOf(DEAR_MS);
    add(60);
    expect(send()).toEqual([60]);
  });

  it('sends halves of what is outstanding where commits are cheap', () => {
    afterCommitsOf(CHEAP_MS);
    now += 0.2;
    afterCommitsOf(CHEAP_MS);
    add(60);
    expect(send()).toEqual([30, 30]);
    add(9);
    expect(send()).toEqual([]);
    settle(CHEAP_MS);
    expect(send()).toEqual([9]);
  });

  it('sends thirds where one unit follows the other fast, three at most', () => {
    afterCommitsOf(CHEAP_MS);
    now += 0.03;
    afterCommitsOf(CHEAP_MS);
    add(60);
    expect(send()).toEqual([20, 20, 20]);
    add(9);
    expect(send()).toEqual([]);
    settle(CHEAP_MS);
    // Of the 49 that are outstanding now.
    expect(send()).toEqual([9]);
  });

  it('keeps a group within its units and bytes; one append that is larger goes alone', () => {
    add(90);
    expect(send()).toEqual([64, 26]);
    settle(DEAR_MS);
    settle(DEAR_MS);
    add(3, 4_000);
    expect(send()).toEqual([2, 1]);
    settle(DEAR_MS);
    settle(DEAR_MS);
    add(1, 20_000);
    add(1);
    expect(send()).toEqual([1, 1]);
  });

  it('refuses what is more than may wait, and settles each with its own outcome', async () => {
    const first = queue.add([], 1);
    const second = queue.add([], 1);
    add(98);
    await expect(queue.add([], 1)).rejects.toMatchObject({ code: 'Unavailable' });
    queue.nextGroup();
    expect(
      queue.settle(
        [
          { kind: 'Failed', code: 'Unknown', message: 'nobody knows' },
          { kind: 'Done', steps: [] },
        ],
        1,
      ),
    ).toBe(true);
    await expect(first).rejects.toMatchObject({ code: 'Unknown', message: 'nobody knows' });
    expect(await second).toEqual({ kind: 'Done', steps: [] });
    expect(queue.isEmpty).toBe(false);
  });
});

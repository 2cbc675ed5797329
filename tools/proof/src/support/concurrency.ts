import { setTimeout } from 'node:timers/promises';

/** Runs `work` on all items, at most `lanes` at a time. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      if (index >= items.length) return;
      results[index] = await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  return results;
}

export const randomUpTo = (most: number): number => 1 + Math.floor(Math.random() * most);

export function pickOne<Item>(items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(Math.random() * items.length)] ?? items[0];
}

/** Looks every `everyMs` until `isDone` or until the time is over. Returns the last result. */
export async function poll<Seen>(
  look: () => Seen | Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  timeoutMs: number,
  everyMs = 100,
): Promise<Seen> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (isDone(seen) || performance.now() > until) return seen;
    await setTimeout(everyMs);
  }
}

export const isEmpty = (list: readonly unknown[]): boolean => list.length === 0;

/** Repeats `work` until it is stopped. */
export class Repetition {
  private stopped = false;
  private readonly over: Promise<void>;

  constructor(work: () => Promise<void>) {
    this.over = this.repeat(work);
  }

  /** Resolves when the last run of `work` is over. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.over;
  }

  private async repeat(work: () => Promise<void>): Promise<void> {
    while (!this.stopped) await work();
  }
}

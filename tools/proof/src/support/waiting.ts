import { setTimeout } from 'node:timers/promises';

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

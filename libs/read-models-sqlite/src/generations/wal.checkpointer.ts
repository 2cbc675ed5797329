import { canWrite, type OpenGenerations } from './open.generations.js';

/** While somebody writes. A checkpoint syncs all that came since the last, and other commits wait for the disk meanwhile. */
const BUSY_INTERVAL_MS = 50;
const IDLE_INTERVAL_MS = 250;

/**
 * Takes what was written from the write-ahead logs into the live files, on a thread where nobody waits for it: a
 * checkpoint syncs the disk, and a sale waits for its row. Those who write do it themselves where nobody else does, once
 * a log has grown long.
 */
export class WalCheckpointer {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly open: OpenGenerations) {}

  start(): void {
    this.#timer ??= this.#in(IDLE_INTERVAL_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #in(ms: number): NodeJS.Timeout {
    return setTimeout(
      () => (this.#timer = this.#in(this.#all() ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS)),
      ms,
    ).unref();
  }

  /** Gives whether anything had been written. */
  #all(): boolean {
    let some = false;
    try {
      for (const generation of this.open.generations()) {
        if (generation.status !== 'Live' || !canWrite(generation)) continue;
        some = this.open.fileOf(generation).checkpointWal() || some;
      }
    } catch {
      // The disk, or a file that is just being exchanged: the next time, or whoever writes.
    }
    return some;
  }
}

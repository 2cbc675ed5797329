import { canWrite, type OpenGenerations } from './open.generations.js';

const EVERY_MS = 500;

/**
 * Takes what was written from the write-ahead logs into the live files, on a thread where nobody waits for it: a
 * checkpoint syncs the disk, and a sale waits for its row. Those who write do it themselves where nobody else does, once
 * a log has grown long.
 */
export class Checkpoints {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly open: OpenGenerations) {}

  start(): void {
    this.#timer ??= setInterval(() => this.#all(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #all(): void {
    try {
      for (const generation of this.open.generations())
        if (generation.status === 'Live' && canWrite(generation)) this.open.fileOf(generation).checkpoint();
    } catch {
      // The disk, or a file that is just being exchanged: the next time, or whoever writes.
    }
  }
}

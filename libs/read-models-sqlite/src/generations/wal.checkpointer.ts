import { canWrite } from '@tillstream/read-models';
import type { OpenGenerations } from './open.generations.js';

/** A checkpoint syncs everything since the last one, and commits wait for the disk during the sync: so it runs often. */
const BUSY_INTERVAL_MS = 50;
const IDLE_INTERVAL_MS = 250;

/**
 * Copies the write-ahead logs of live files into the files, on the projector's thread: a checkpoint syncs the disk, and a
 * sale that waits for its row must not. Without it, a writer does it itself once its log is long.
 */
export class WalCheckpointer {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly open: OpenGenerations) {}

  start(): void {
    if (this.#timer === undefined) this.#schedule(IDLE_INTERVAL_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(
      () => this.#schedule(this.#checkpointAll() ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS),
      delayMs,
    ).unref();
  }

  /** @returns whether any file had been written to */
  #checkpointAll(): boolean {
    let wasWritten = false;
    try {
      for (const generation of this.open.generations()) {
        if (generation.status !== 'Live' || !canWrite(generation)) continue;
        wasWritten = this.open.fileOf(generation).checkpointWal() || wasWritten;
      }
    } catch {
      // The disk is full, or a file is being replaced. The next checkpoint tries again.
    }
    return wasWritten;
  }
}

import { setImmediate } from 'node:timers/promises';
import {
  WriteQueue,
  type QueuedWrite,
  type ReadModelsLog,
  type RowSet,
  type RowSink,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import type { OpenGenerations } from '../control/open.generations.js';

/** A write resolves after this time at the latest: the projector writes missing rows too. */
const WRITE_TIMEOUT_MS = 2_000;

/**
 * Writes rows into the live generations, and into those that are announced to become live. While one group is written,
 * arriving rows gather for the next group. Writes never reject: rows that are not written in time are logged, and the
 * projector writes them.
 */
export class RowWriter implements RowSink {
  readonly #queue: WriteQueue;
  #inFlight: readonly QueuedWrite[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    private readonly open: OpenGenerations,
    log: ReadModelsLog,
  ) {
    this.#queue = new WriteQueue(log, () => performance.now());
  }

  write(sets: readonly RowSet[]): Promise<readonly RowSet[]> {
    return this.#queue.add(sets, () => (this.#writing ??= this.#writeQueued()));
  }

  /** Writes the accepted rows first. */
  async close(): Promise<void> {
    this.#queue.close();
    await this.#writing;
  }

  async #writeQueued(): Promise<void> {
    const timeouts = setInterval(() => this.#releaseTimedOut(), WRITE_TIMEOUT_MS / 4);
    // All rows that arrive in one turn of the event loop go into the same group.
    await setImmediate();
    while (!this.#queue.isEmpty) {
      this.#inFlight = this.#queue.takeGroup();
      const sets = this.#inFlight.flatMap((write) => write.sets);
      const incomplete = await this.#writeGroup(sets);
      for (const write of this.#inFlight) write.done(write.sets.filter((set) => incomplete.has(set)));
    }
    clearInterval(timeouts);
    this.#inFlight = [];
    this.#writing = undefined;
  }

  /** Never rejects. @returns the sets that a generation did not take, because it does not have their `after` */
  async #writeGroup(sets: readonly RowSet[]): Promise<ReadonlySet<RowSet>> {
    const incomplete = new Set<RowSet>();
    try {
      // Read after the events were appended, and before their rows are written. A generation that is announced later reads
      // these events itself before it becomes live (docs/adr/0042).
      const writable = await this.open.writable();
      const writes = [...new Set(sets.map(({ projection }) => projection))].flatMap((projection) => {
        const own = sets.filter((set) => set.projection === projection);
        return writable(projection).map(async (generation) => {
          const missing = await this.open.rowsOf(generation).writeSets(own);
          if (generation.status !== 'Retired') for (const set of missing) incomplete.add(set);
        });
      });
      const failed = (await Promise.allSettled(writes)).find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    } catch (error) {
      this.#queue.logNotWritten(errorMessage(error));
    }
    return incomplete;
  }

  /** Their callers go on. The group in flight may still be written. */
  #releaseTimedOut(): void {
    const before = performance.now() - WRITE_TIMEOUT_MS;
    const isTimedOut = ({ queuedAt }: QueuedWrite): boolean => queuedAt < before;
    const late = [...this.#inFlight.filter(isTimedOut), ...this.#queue.takeLate(isTimedOut)];
    if (late.length === 0) return;
    this.#queue.logNotWritten(`${late.length} writes took more than ${WRITE_TIMEOUT_MS} ms`);
    this.#inFlight = this.#inFlight.filter((write) => !isTimedOut(write));
    for (const { done } of late) done([]);
  }
}

import { setImmediate } from 'node:timers/promises';
import type { ReadModelsLog, RowSet, RowSink } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import type { OpenGenerations } from '../control/open.generations.js';

const GROUP_ROWS_MAX = 256;
const QUEUED_WRITES_MAX = 10_000;
/** A write resolves after this time at the latest: the projector writes missing rows too. */
const WRITE_TIMEOUT_MS = 2_000;

interface QueuedWrite {
  readonly sets: readonly RowSet[];
  readonly rowCount: number;
  readonly queuedAt: number;
  /** With the sets that were not written. A repeat does nothing. */
  readonly done: (incomplete: readonly RowSet[]) => void;
}

/**
 * Writes rows into the live generations, and into those that are announced to become live. While one group is written,
 * arriving rows gather for the next group. Writes never reject: rows that are not written in time are logged, and the
 * projector writes them.
 */
export class RowWriter implements RowSink {
  #queued: QueuedWrite[] = [];
  #inFlight: readonly QueuedWrite[] = [];
  #writing: Promise<void> | undefined;
  #isClosing = false;

  constructor(
    private readonly open: OpenGenerations,
    private readonly log: ReadModelsLog,
  ) {}

  write(sets: readonly RowSet[]): Promise<readonly RowSet[]> {
    if (sets.length === 0) return Promise.resolve([]);
    if (this.#isClosing || this.#queued.length >= QUEUED_WRITES_MAX) {
      this.#logNotWritten(
        this.#isClosing ? 'the read models are closed' : `${QUEUED_WRITES_MAX} writes are queued already`,
      );
      return Promise.resolve([]);
    }
    const rowCount = sets.reduce((count, { rows }) => count + rows.length, 0);
    return new Promise((done) => {
      this.#queued.push({ sets, rowCount, queuedAt: performance.now(), done });
      this.#writing ??= this.#writeQueued();
    });
  }

  /** Writes the accepted rows first. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#writing;
  }

  async #writeQueued(): Promise<void> {
    const timeouts = setInterval(() => this.#releaseTimedOut(), WRITE_TIMEOUT_MS / 4);
    // All rows that arrive in one turn of the event loop go into the same group.
    await setImmediate();
    while (this.#queued.length > 0) {
      this.#inFlight = this.#nextGroup();
      const sets = this.#inFlight.flatMap((write) => write.sets);
      const incomplete = await this.#writeGroup(sets);
      for (const write of this.#inFlight) write.done(write.sets.filter((set) => incomplete.has(set)));
    }
    clearInterval(timeouts);
    this.#inFlight = [];
    this.#writing = undefined;
  }

  #nextGroup(): readonly QueuedWrite[] {
    let writes = 0;
    for (let rows = 0; writes < this.#queued.length && rows < GROUP_ROWS_MAX; writes++) {
      rows += this.#queued[writes]?.rowCount ?? 0;
    }
    return this.#queued.splice(0, writes);
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
      this.#logNotWritten(errorMessage(error));
    }
    return incomplete;
  }

  /** Their callers go on. The group in flight may still be written. */
  #releaseTimedOut(): void {
    const before = performance.now() - WRITE_TIMEOUT_MS;
    const isTimedOut = ({ queuedAt }: QueuedWrite): boolean => queuedAt < before;
    const late = [...this.#inFlight, ...this.#queued].filter(isTimedOut);
    if (late.length === 0) return;
    this.#logNotWritten(`${late.length} writes took more than ${WRITE_TIMEOUT_MS} ms`);
    this.#inFlight = this.#inFlight.filter((write) => !isTimedOut(write));
    this.#queued = this.#queued.filter((write) => !isTimedOut(write));
    for (const { done } of late) done([]);
  }

  #logNotWritten(reason: string): void {
    this.log.failed('row-not-written', { reason });
  }
}

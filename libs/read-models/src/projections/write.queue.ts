import type { ReadModelsLog } from '../read-models.types.js';
import type { RowSet } from './write-through.js';

/** Rows of one group: a writer holds locks for some milliseconds while it writes a group. */
const GROUP_ROWS_MAX = 256;
const QUEUED_WRITES_MAX = 10_000;

export interface QueuedWrite {
  readonly sets: readonly RowSet[];
  readonly rowCount: number;
  readonly queuedAt: number;
  /** With the sets that were not written. A repeat does nothing. */
  readonly done: (incomplete: readonly RowSet[]) => void;
}

/** Writes that wait for the group before theirs. None rejects: the projector writes missing rows too. */
export class WriteQueue {
  #queued: QueuedWrite[] = [];
  #isClosed = false;

  /** @param now ms of a monotonic clock */
  constructor(
    private readonly log: ReadModelsLog,
    private readonly now: () => number,
  ) {}

  get isEmpty(): boolean {
    return this.#queued.length === 0;
  }

  /** Further writes are refused. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Resolves when the write is done. One that the queue refuses is logged, and resolves at once.
   * @param onQueued called once the queue has taken the write
   */
  add(sets: readonly RowSet[], onQueued: () => void): Promise<readonly RowSet[]> {
    if (sets.length === 0) return Promise.resolve([]);
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      this.logNotWritten(refusal);
      return Promise.resolve([]);
    }
    const rowCount = sets.reduce((count, { rows }) => count + rows.length, 0);
    return new Promise((done) => {
      this.#queued.push({ sets, rowCount, queuedAt: this.now(), done });
      onQueued();
    });
  }

  /** Removes the writes of the next group. */
  takeGroup(): QueuedWrite[] {
    let writes = 0;
    for (let rows = 0; writes < this.#queued.length && rows < GROUP_ROWS_MAX; writes++) {
      rows += this.#queued[writes]?.rowCount ?? 0;
    }
    return this.#queued.splice(0, writes);
  }

  /** Removes the writes for which `isLate` is true. */
  takeLate(isLate: (write: QueuedWrite) => boolean): readonly QueuedWrite[] {
    const late = this.#queued.filter(isLate);
    if (late.length > 0) this.#queued = this.#queued.filter((write) => !isLate(write));
    return late;
  }

  logNotWritten(reason: string): void {
    this.log.failed('row-not-written', { reason });
  }

  #refusal(): string | undefined {
    if (this.#isClosed) return 'the read models are closed';
    return this.#queued.length >= QUEUED_WRITES_MAX
      ? `${QUEUED_WRITES_MAX} writes are queued already`
      : undefined;
  }
}

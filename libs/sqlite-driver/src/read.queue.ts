interface QueuedRead {
  /** Reads once, and returns the function that settles the caller's promise. */
  attempt(): () => void;
  readAlone(): void;
}

/** Longest time that the event loop is blocked. Further reads wait for its next turn. */
const BLOCKED_MS_MAX = 5;

/**
 * Runs the reads that arrive in one turn of the event loop at its end, in order and in one transaction, because taking the
 * file's locks costs more than a read (docs/adr/0030-speed-measures-that-stay.md).
 */
export class ReadQueue {
  private waiting: QueuedRead[] = [];

  constructor(
    /** Runs its work in one read transaction. */
    private readonly inTransaction: <T>(work: () => T) => T,
    /** Repeats a read that failed in a transaction; its result is final. */
    private readonly alone: <T>(work: () => T) => Promise<T>,
  ) {}

  /** Rejects as `alone` does. `work` may run twice. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const readAlone = (): void => void this.alone(work).then(resolve, reject);
      const attempt = (): (() => void) => {
        try {
          const value = work();
          return () => resolve(value);
        } catch {
          // A repeat in the same transaction would see the same rows.
          return readAlone;
        }
      };
      this.waiting.push({ attempt, readAlone });
      if (this.waiting.length === 1) setImmediate(() => this.turn());
    });
  }

  /** Runs all waiting reads at once. */
  flush(): void {
    this.readUntil(Number.POSITIVE_INFINITY);
  }

  private turn(): void {
    this.readUntil(performance.now() + BLOCKED_MS_MAX);
    if (this.waiting.length > 0) setImmediate(() => this.turn());
  }

  private readUntil(deadline: number): void {
    const waiting = this.waiting;
    this.waiting = [];
    const settlements: (() => void)[] = [];
    const readAll = (): void => {
      for (const { attempt } of waiting) {
        settlements.push(attempt());
        if (performance.now() > deadline) return;
      }
    };
    try {
      if (waiting.length > 1) this.inTransaction(readAll);
      else readAll();
    } catch {
      // The transaction could not start, or an error of the file ended it: no result of it is valid.
      settlements.length = 0;
      for (const { readAlone } of waiting) settlements.push(readAlone);
    }
    this.waiting = waiting.slice(settlements.length);
    for (const settle of settlements) settle();
  }
}

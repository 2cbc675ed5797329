interface QueuedRead {
  /** Gives how its caller is answered. */
  attempt(): () => void;
  readAlone(): void;
}

/** The event loop stands still for so long; what is left is read in its next turn. */
const BLOCKED_MS_MAX = 5;

/**
 * What is asked for in one turn of the event loop is read at its end, one after the other and in one transaction: taking
 * the file's locks, and coming to this code from elsewhere, costs more than a read.
 */
export class ReadQueue {
  private waiting: QueuedRead[] = [];

  /**
   * @param reading runs its work in one transaction that reads.
   * @param alone for a read that failed among others; what it says is its answer.
   */
  constructor(
    private readonly reading: <T>(work: () => T) => T,
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
          // Within one transaction it would see the same as often as it looks.
          return readAlone;
        }
      };
      this.waiting.push({ attempt, readAlone });
      if (this.waiting.length === 1) setImmediate(() => this.turn());
    });
  }

  /** Reads what was asked for until now. */
  flush(): void {
    this.read(Number.POSITIVE_INFINITY);
  }

  private turn(): void {
    this.read(performance.now() + BLOCKED_MS_MAX);
    if (this.waiting.length > 0) setImmediate(() => this.turn());
  }

  private read(until: number): void {
    const waiting = this.waiting;
    this.waiting = [];
    const answers: (() => void)[] = [];
    const read = (): void => {
      for (const { attempt } of waiting) {
        answers.push(attempt());
        if (performance.now() > until) return;
      }
    };
    try {
      if (waiting.length > 1) this.reading(read);
      else read();
    } catch {
      // The transaction could not be had, or an error of the file has ended it: none of what was read counts.
      answers.length = 0;
      for (const { readAlone } of waiting) answers.push(readAlone);
    }
    this.waiting = waiting.slice(answers.length);
    for (const answer of answers) answer();
  }
}

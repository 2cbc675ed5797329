interface Waiting {
  /** Gives how its caller is answered. */
  attempt(): () => void;
  again(): void;
}

/** The event loop stands still for so long; what is left is read in its next turn. */
const LONGEST_MS = 5;

/**
 * What is asked for in one turn of the event loop is read at its end, one after the other and in one transaction: taking
 * the file's locks, and coming to this code from elsewhere, costs more than a read.
 */
export class ReadQueue {
  private waiting: Waiting[] = [];

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
      const again = (): void => void this.alone(work).then(resolve, reject);
      const attempt = (): (() => void) => {
        try {
          const value = work();
          return () => resolve(value);
        } catch {
          // Within one transaction it would see the same as often as it looks.
          return again;
        }
      };
      this.waiting.push({ attempt, again });
      if (this.waiting.length === 1) setImmediate(() => this.turn());
    });
  }

  /** Reads what was asked for until now. */
  flush(): void {
    this.read(Number.POSITIVE_INFINITY);
  }

  private turn(): void {
    this.read(performance.now() + LONGEST_MS);
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
      for (const { again } of waiting) answers.push(again);
    }
    this.waiting = waiting.slice(answers.length);
    for (const answer of answers) answer();
  }
}

import type { VaultDatabase } from './vault.database.js';

interface Waiting {
  /** Gives how its caller is answered. */
  attempt(): () => void;
  again(): void;
}

/** So many share a look at the file at most: the event loop stands still for it. */
const AT_ONCE = 50;

/**
 * What is asked for in one turn of the event loop is read at its end, one after the other and in one transaction: taking
 * the file's locks, and coming to this code from elsewhere, costs more than a read.
 */
export class ReadQueue {
  private readonly waiting: Waiting[] = [];

  /** `alone`: for a read that failed among others; what it says is its answer. */
  constructor(
    private readonly database: Pick<VaultDatabase, 'reading'>,
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
      if (this.waiting.length === 1) setImmediate(() => this.readSome());
    });
  }

  /** Reads what was asked for until now. */
  flush(): void {
    while (this.waiting.length > 0) this.readSome();
  }

  private readSome(): void {
    const some = this.waiting.splice(0, AT_ONCE);
    if (this.waiting.length > 0) setImmediate(() => this.readSome());
    for (const answer of this.answersOf(some)) answer();
  }

  private answersOf(some: readonly Waiting[]): readonly (() => void)[] {
    const read = (): (() => void)[] => some.map(({ attempt }) => attempt());
    try {
      return some.length > 1 ? this.database.reading(read) : read();
    } catch {
      // The transaction itself could not be had, or an error of the file has ended it.
      return some.map(({ again }) => again);
    }
  }
}

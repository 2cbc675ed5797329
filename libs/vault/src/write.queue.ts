import { setImmediate } from 'node:timers/promises';
import { patiently, unavailable } from './patience.js';
import { isFileError, type VaultDatabase } from './vault.database.js';

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

interface Job extends Waiting {
  /** Does its work inside the transaction, and says how to answer once that is on the disk. */
  attempt(): void;
  /** Whether what it overwrites must be in no file before it is answered. */
  readonly scrubs: boolean;
}

const MOST_IN_ONE_COMMIT = 100;
const MOST_WAITING = 10_000;

/**
 * Writes, in the order they came: what arrives in one turn of the event loop shares one commit and its fsync. Another
 * process that holds the file is waited for without stopping this one.
 */
export class WriteQueue {
  private readonly jobs: Job[] = [];
  private readonly unscrubbed: Waiting[] = [];
  private writing: Promise<void> | undefined;
  private scrubbing: Promise<void> | undefined;

  constructor(private readonly database: VaultDatabase) {}

  /**
   * Runs `work` in a write transaction, and resolves when that is on the disk. An error of its own rejects it alone; it
   * must not have written before. An error of the file undoes all that shares its commit.
   */
  run<T>(work: () => T, { scrubs = false } = {}): Promise<T> {
    if (this.jobs.length >= MOST_WAITING)
      return Promise.reject(unavailable(`${MOST_WAITING} writes are waiting already`));
    return new Promise<T>((resolve, reject) => {
      let answer = (): void => undefined;
      const attempt = (): void => {
        try {
          const value = work();
          answer = () => resolve(value);
        } catch (error) {
          if (isFileError(error)) throw error;
          answer = () => reject(error);
        }
      };
      this.jobs.push({ attempt, scrubs, resolve: () => answer(), reject });
      this.writing ??= this.write();
    });
  }

  /** When everything that was asked for until now is answered. */
  async idle(): Promise<void> {
    while (this.writing ?? this.scrubbing) await (this.writing ?? this.scrubbing);
  }

  private async write(): Promise<void> {
    while (this.jobs.length > 0) {
      await setImmediate();
      let group: readonly Job[] = [];
      try {
        group = await patiently(() => this.commitGroup());
      } catch (error) {
        for (const job of this.nextGroup()) job.reject(error);
      }
      for (const job of group) {
        if (job.scrubs) this.unscrubbed.push(job);
        else job.resolve();
      }
      if (this.unscrubbed.length > 0) this.scrubbing ??= this.scrub();
    }
    this.writing = undefined;
  }

  private commitGroup(): readonly Job[] {
    const size = Math.min(this.jobs.length, MOST_IN_ONE_COMMIT);
    this.database.transaction(() => {
      for (const job of this.jobs.slice(0, size)) job.attempt();
    });
    return this.jobs.splice(0, size);
  }

  private nextGroup(): readonly Job[] {
    return this.jobs.splice(0, MOST_IN_ONE_COMMIT);
  }

  /** Beside the writes: a reader elsewhere that holds it up must hold up nothing else. */
  private async scrub(): Promise<void> {
    while (this.unscrubbed.length > 0) {
      let failed: unknown;
      const scrubbed = await patiently(() => this.emptyLogFor(this.unscrubbed.length)).catch(
        (error: unknown) => {
          failed = error;
          return this.unscrubbed.splice(0);
        },
      );
      for (const job of scrubbed) {
        if (failed === undefined) job.resolve();
        else job.reject(failed);
      }
    }
    this.scrubbing = undefined;
  }

  private emptyLogFor(count: number): readonly Waiting[] | undefined {
    return this.database.emptyLog() ? this.unscrubbed.splice(0, count) : undefined;
  }
}

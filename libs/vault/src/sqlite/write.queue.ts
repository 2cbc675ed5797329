import { setImmediate } from 'node:timers/promises';
import { unavailableError } from '../vault.errors.js';
import { retryWhileBusy } from './busy.retry.js';
import { isFileError, type VaultDatabase } from './vault.database.js';

interface PendingWrite {
  resolve(): void;
  reject(error: unknown): void;
}

interface WriteJob extends PendingWrite {
  /** Does its work inside the transaction, and keeps the result for `resolve`. */
  attempt(): void;
  /** Whether the overwritten bytes must be removed from the log before the promise is settled. */
  readonly scrubs: boolean;
}

const WRITES_PER_COMMIT_MAX = 100;
const QUEUED_WRITES_MAX = 10_000;

/**
 * Runs writes in order. Writes that arrive in one turn of the event loop share one commit and its fsync. Waits for the lock
 * of another process without blocking this one.
 */
export class WriteQueue {
  private readonly jobs: WriteJob[] = [];
  private readonly unscrubbed: PendingWrite[] = [];
  private writing: Promise<void> | undefined;
  private scrubbing: Promise<void> | undefined;

  constructor(private readonly database: VaultDatabase) {}

  /**
   * Runs `work` in a write transaction, and resolves when the commit is on the disk. If `work` throws, only its promise is
   * rejected; it must throw before it writes. An error of the file rolls back all writes of the same commit.
   */
  run<T>(work: () => T, { scrubs = false } = {}): Promise<T> {
    if (this.jobs.length >= QUEUED_WRITES_MAX)
      return Promise.reject(unavailableError(`${QUEUED_WRITES_MAX} writes are waiting already`));
    return new Promise<T>((resolve, reject) => {
      let settle = (): void => undefined;
      const attempt = (): void => {
        try {
          const value = work();
          settle = () => resolve(value);
        } catch (error) {
          if (isFileError(error)) throw error;
          settle = () => reject(error);
        }
      };
      this.jobs.push({ attempt, scrubs, resolve: () => settle(), reject });
      this.writing ??= this.write();
    });
  }

  /** Resolves when all writes are settled. */
  async waitUntilIdle(): Promise<void> {
    while (this.writing ?? this.scrubbing) await (this.writing ?? this.scrubbing);
  }

  private async write(): Promise<void> {
    while (this.jobs.length > 0) {
      await setImmediate();
      try {
        for (const job of await retryWhileBusy(() => this.commitGroup())) {
          if (job.scrubs) this.unscrubbed.push(job);
          else job.resolve();
        }
      } catch (error) {
        for (const job of this.jobs.splice(0, WRITES_PER_COMMIT_MAX)) job.reject(error);
      }
      if (this.unscrubbed.length > 0) this.scrubbing ??= this.scrub();
    }
    this.writing = undefined;
  }

  private commitGroup(): readonly WriteJob[] {
    const size = Math.min(this.jobs.length, WRITES_PER_COMMIT_MAX);
    this.database.transaction(() => {
      for (const job of this.jobs.slice(0, size)) job.attempt();
    });
    return this.jobs.splice(0, size);
  }

  /** Runs beside the writes, so that a reader in another process delays only the destructions. */
  private async scrub(): Promise<void> {
    while (this.unscrubbed.length > 0) {
      try {
        const empty = () => (this.database.emptyLog() ? this.unscrubbed.splice(0) : undefined);
        for (const job of await retryWhileBusy(empty)) job.resolve();
      } catch (error) {
        for (const job of this.unscrubbed.splice(0)) job.reject(error);
      }
    }
    this.scrubbing = undefined;
  }
}

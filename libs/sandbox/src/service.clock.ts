import type { Statement } from 'better-sqlite3';
import type { SandboxDatabase } from './ledger/sandbox.database.js';

/** ISO dates have four digits for the year. */
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/**
 * The service's clock in a sandbox that is a process of its own: real time and the largest offset that a call has carried.
 * The sandbox's file stores the offset. Times in ms since 1970.
 */
export class ServiceClock {
  private readonly readOffset: Statement<[], number>;
  private readonly writeOffset: Statement<[number]>;

  constructor(
    private readonly database: SandboxDatabase,
    private readonly realNow: () => number,
  ) {
    this.readOffset = database.sqlite.prepare<[], number>('SELECT offset_ms FROM clock').pluck();
    this.writeOffset = database.sqlite.prepare('UPDATE clock SET offset_ms = ?');
  }

  now(): number {
    return this.realNow() + this.offsetMs();
  }

  offsetMs(): number {
    return this.readOffset.get() ?? 0;
  }

  /** Stores an offset that is larger than the stored one. Takes no write lock for any other, as every call carries one. */
  adoptOffset(offsetMs: number): void {
    if (!Number.isSafeInteger(offsetMs) || offsetMs <= this.offsetMs()) return;
    if (this.realNow() + offsetMs > LAST_INSTANT) return;
    this.database.transaction(() => {
      if (offsetMs > this.offsetMs()) this.writeOffset.run(offsetMs);
    });
  }
}

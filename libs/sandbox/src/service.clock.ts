import type { Statement } from 'better-sqlite3';
import type { SandboxDatabase } from './ledger/sandbox.database.js';

/** ISO dates have four digits for the year. */
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/**
 * The service's clock as a sandbox knows it that is a process of its own: real time, and the largest offset that a call
 * told it. The offset lives in the sandbox's file and survives restarts. Times in ms since 1970.
 */
export class ServiceClock {
  private readonly readOffset: Statement<[], number>;
  private readonly writeOffset: Statement<[number]>;
  private knownOffset: number | undefined;
  /** The transaction that it was read in; undefined: in none. */
  private knownIn: number | undefined;

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

  /** Read from the file once in a turn of the event loop. */
  offsetMs(): number {
    // A transaction may run at the end of a turn, or have waited for a process that was told more: it looks for itself.
    const { openTransaction } = this.database;
    if (this.knownOffset === undefined || this.knownIn !== openTransaction) {
      this.knownOffset = this.readOffset.get() ?? 0;
      this.knownIn = openTransaction;
      setImmediate(() => (this.knownOffset = undefined));
    }
    return this.knownOffset;
  }

  /** Takes the service's offset where it is ahead of the known one. Read first, as every call tells it and hardly any changes it. */
  adoptOffset(offsetMs: number): void {
    if (!Number.isSafeInteger(offsetMs) || offsetMs <= this.offsetMs()) return;
    if (this.realNow() + offsetMs > LAST_INSTANT) return;
    this.database.transaction(() => {
      if (offsetMs <= this.offsetMs()) return;
      this.writeOffset.run(offsetMs);
      this.knownOffset = undefined;
    });
  }
}

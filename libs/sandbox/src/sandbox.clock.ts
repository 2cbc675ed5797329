import type { Statement } from 'better-sqlite3';
import type { SandboxDatabase } from './sandbox.database.js';
import { SandboxRefusal } from './sandbox.errors.js';

export const MAX_ADVANCE_SECONDS = 31_536_000;
/** ISO dates have four digits for the year, and ids room for no more. */
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/**
 * The service's clock: real time and an offset that only grows. The offset lives in the sandbox file, so it is the same
 * in every process at once and survives restarts. Times in ms since 1970.
 */
export class SandboxClock {
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

  /**
   * Read from the file once in a turn of the event loop: one payment looks at the clock twenty times, and whoever was
   * told that the clock moved comes in a later turn, to whichever process.
   */
  offsetMs(): number {
    // A transaction may run at the end of a turn, or have waited for somebody who moved the clock: it looks for itself.
    const { open } = this.database;
    if (this.knownOffset === undefined || this.knownIn !== open) {
      this.knownOffset = this.storedOffset();
      this.knownIn = open;
      setImmediate(() => (this.knownOffset = undefined));
    }
    return this.knownOffset;
  }

  private storedOffset(): number {
    return this.readOffset.get() ?? 0;
  }

  offsetSeconds(): number {
    return this.offsetMs() / 1000;
  }

  /** @throws SandboxRefusal `OutOfRange` unless 1 to 31,536,000 whole seconds. */
  advance(seconds: number): void {
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_ADVANCE_SECONDS) {
      throw new SandboxRefusal('OutOfRange', `advance by 1 to ${MAX_ADVANCE_SECONDS} whole seconds`);
    }
    this.move((now) => now + seconds * 1000);
  }

  /** @throws SandboxRefusal `Backwards` where that time is not ahead, `OutOfRange` where it is no time. */
  to(time: number): void {
    if (!Number.isFinite(time)) throw new SandboxRefusal('OutOfRange', 'not a time');
    this.move(() => Math.ceil(time));
  }

  /**
   * For a sandbox that is a process of its own: takes the service's offset where it is ahead of the one it knows. Read
   * first, as every call tells it and hardly any changes it.
   */
  hear(offsetMs: number): void {
    if (!Number.isSafeInteger(offsetMs) || offsetMs <= this.offsetMs()) return;
    if (this.realNow() + offsetMs > LAST_INSTANT) return;
    this.database.transaction(() => {
      if (offsetMs <= this.offsetMs()) return;
      this.writeOffset.run(offsetMs);
      this.knownOffset = undefined;
    });
  }

  /** Target and check inside one transaction: two who advance at once both count, and neither sets the clock back. */
  private move(target: (now: number) => number): void {
    const refusal = this.database.transaction(() => {
      const real = this.realNow();
      const offset = this.storedOffset();
      const time = target(real + offset);
      if (time > LAST_INSTANT) return new SandboxRefusal('OutOfRange', 'the clock ends with the year 9999');
      if (time <= real + offset) return new SandboxRefusal('Backwards', 'the clock only goes forward');
      this.writeOffset.run(time - real);
      this.knownOffset = undefined;
      return undefined;
    });
    if (refusal) throw refusal;
  }
}

import { join } from 'node:path';
import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Clock, ClockOffset } from '@tillstream/payments';
import { inspectSqliteClockOffset, openSqliteClockOffset } from '@tillstream/payments-sqlite';
import { readClockOffset as readLedgerClockOffset } from '@tillstream/sandbox';
import { ledgerFileName } from '../data-directory/sandbox-ledger.files.js';
import { withDamageCheck } from '../data-directory/damaged-file.check.js';

/** The offset of live mode, in which the clock is never moved. */
export const REAL_TIME = { offsetMs: () => 0 };

/** The service's clock. Only `now` can be moved. */
export function offsetClock(offset: Pick<ClockOffset, 'offsetMs'>): Clock {
  return {
    now: () => Date.now() + offset.offsetMs(),
    realNow: () => Date.now(),
    monotonicNow: () => performance.now(),
  };
}

/**
 * The offset in `events.db`. Older versions stored it in the sandbox's ledger: a file without an offset takes that one, so
 * that the service's time never goes back.
 */
export function openClockOffset(dataDir: string, file: SqliteEventStore): Promise<ClockOffset> {
  return withDamageCheck(firstLedger(dataDir), () =>
    openSqliteClockOffset(file, { initialOffset: () => readLedgerClockOffset(firstLedger(dataDir)) }),
  );
}

/** The current offset, read-only. `file` is undefined if no service has created it. */
export function readClockOffset(
  dataDir: string,
  file: SqliteEventStore | undefined,
): Pick<ClockOffset, 'offsetMs'> {
  const offset = (file && inspectSqliteClockOffset(file)) ?? readLedgerClockOffset(firstLedger(dataDir));
  return { offsetMs: () => offset };
}

function firstLedger(dataDir: string): string {
  return join(dataDir, ledgerFileName('sandbox'));
}

/** The service's clock in sandbox mode. Both moves reject with a `ClockMoveError`. */
export interface MovableClock {
  now(): number;
  offsetSeconds(): number;
  advance(seconds: number): Promise<void>;
  to(time: number): Promise<void>;
}

/** @param moved called after each move; the move waits for it */
export function movableClock(offset: ClockOffset, moved: () => Promise<void>): MovableClock {
  return {
    now: () => Date.now() + offset.offsetMs(),
    offsetSeconds: () => offset.offsetMs() / 1000,
    advance: async (seconds) => {
      await offset.advance(seconds);
      await moved();
    },
    to: async (time) => {
      await offset.moveTo(time);
      await moved();
    },
  };
}

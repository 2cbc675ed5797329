import type { SqliteEventStore, SqlValue } from '@tillstream/event-store-sqlite';
import {
  outOfRangeError,
  advanceInMs,
  checkTime,
  LAST_INSTANT,
  backwardsError,
  type ClockOffset,
} from '@tillstream/payments';

const SCHEMA = [
  'CREATE TABLE service_clock (one INTEGER PRIMARY KEY CHECK (one = 1), offset_ms INTEGER NOT NULL)',
];
const READ = 'SELECT offset_ms AS offset FROM service_clock';
/** If two processes start for the first time at once, the higher offset stays. */
const BEGIN = `INSERT INTO service_clock (one, offset_ms) VALUES (1, ?)
  ON CONFLICT (one) DO UPDATE SET offset_ms = max(offset_ms, excluded.offset_ms)`;
/* Change and check are one statement: two concurrent advances both count, and neither sets the clock back. */
const ADVANCE = 'UPDATE service_clock SET offset_ms = offset_ms + ? WHERE offset_ms + ? + ? <= ?';
const GO_TO = 'UPDATE service_clock SET offset_ms = ? - ? WHERE offset_ms + ? < ?';

interface SqliteClockOptions {
  /** The first offset of a file that has none, ms. */
  readonly initialOffset: () => number;
  /** Default: `Date.now`. */
  readonly realNow?: () => number;
}

/** Keeps the offset in the file of the events, through its writer. */
export async function openSqliteClockOffset(
  file: SqliteEventStore,
  { initialOffset, realNow = () => Date.now() }: SqliteClockOptions,
): Promise<ClockOffset> {
  await file.migrate('service_clock', SCHEMA);
  if (storedOffset(file) === undefined) {
    await file.execute([{ kind: 'run', sql: BEGIN, params: [initialOffset()] }]);
  }
  return new SqliteClockOffset(file, realNow);
}

/** For a file that may be open for reading only. Undefined if no service has kept a clock in it. */
export function inspectSqliteClockOffset(file: SqliteEventStore): number | undefined {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'service_clock'";
  return file.query(table).length === 0 ? undefined : storedOffset(file);
}

class SqliteClockOffset implements ClockOffset {
  #known: number | undefined;
  #knownAt = 0;

  constructor(
    private readonly file: SqliteEventStore,
    private readonly realNow: () => number,
  ) {}

  /**
   * Reads the file once in a turn of the event loop: one payment reads the clock twenty times. A client whose call
   * moved the clock sends its next request in a later turn, to any process. The value is kept for a ms at most, because a
   * turn can wait for the lock of another process.
   */
  offsetMs(): number {
    const at = this.realNow();
    if (this.#known === undefined || this.#knownAt !== at) {
      if (this.#known === undefined) setImmediate(() => (this.#known = undefined));
      this.#known = storedOffset(this.file) ?? 0;
      this.#knownAt = at;
    }
    return this.#known;
  }

  async advance(seconds: number): Promise<void> {
    const by = advanceInMs(seconds);
    const moved = await this.#move(ADVANCE, [by, by, this.realNow(), LAST_INSTANT]);
    if (!moved) throw outOfRangeError();
  }

  async moveTo(time: number): Promise<void> {
    const target = checkTime(time);
    const real = this.realNow();
    if (!(await this.#move(GO_TO, [target, real, real, target]))) throw backwardsError();
  }

  async #move(sql: string, params: readonly SqlValue[]): Promise<boolean> {
    const unit = await this.file.execute([{ kind: 'run', sql, params, mustChange: true }]);
    this.#known = undefined;
    return unit.kind === 'Done';
  }
}

function storedOffset(file: SqliteEventStore): number | undefined {
  return file.query<{ offset: number }>(READ)[0]?.offset;
}

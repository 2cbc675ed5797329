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
/** Of two first starts at once neither sets the other back. */
const BEGIN = `INSERT INTO service_clock (one, offset_ms) VALUES (1, ?)
  ON CONFLICT (one) DO UPDATE SET offset_ms = max(offset_ms, excluded.offset_ms)`;
/* Target and check in one statement: two that advance at once both count, and neither sets the clock back. */
const ADVANCE = 'UPDATE service_clock SET offset_ms = offset_ms + ? WHERE offset_ms + ? + ? <= ?';
const GO_TO = 'UPDATE service_clock SET offset_ms = ? - ? WHERE offset_ms + ? < ?';

export interface SqliteClockOptions {
  /** The offset that the clock begins with in a file that has none yet, ms. */
  readonly initialOffset: () => number;
  /** Left out: `Date.now`. */
  readonly realNow?: () => number;
}

/** In `events.db`, through its writer. */
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

/** Only to look: the file may be open for reading alone. Undefined where no service ever kept the clock in this file. */
export function inspectSqliteClockOffset(file: SqliteEventStore): number | undefined {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'service_clock'";
  return file.query(table).length === 0 ? undefined : storedOffset(file);
}

class SqliteClockOffset implements ClockOffset {
  private known: number | undefined;
  private knownAt = 0;

  constructor(
    private readonly file: SqliteEventStore,
    private readonly realNow: () => number,
  ) {}

  /**
   * Read from the file once in a turn of the event loop: one payment looks at the clock twenty times, and whoever was told
   * that the clock moved comes in a later turn, to whichever process. Not for longer than a ms either: a turn that waited
   * (for another process's lock) reads again, and so does what was read between two turns.
   */
  offsetMs(): number {
    const at = this.realNow();
    if (this.known === undefined || this.knownAt !== at) {
      if (this.known === undefined) setImmediate(() => (this.known = undefined));
      this.known = storedOffset(this.file) ?? 0;
      this.knownAt = at;
    }
    return this.known;
  }

  async advance(seconds: number): Promise<void> {
    const by = advanceInMs(seconds);
    const moved = await this.move(ADVANCE, [by, by, this.realNow(), LAST_INSTANT]);
    if (!moved) throw outOfRangeError();
  }

  async moveTo(time: number): Promise<void> {
    const target = checkTime(time);
    const real = this.realNow();
    if (!(await this.move(GO_TO, [target, real, real, target]))) throw backwardsError();
  }

  private async move(sql: string, params: readonly SqlValue[]): Promise<boolean> {
    const unit = await this.file.execute([{ kind: 'run', sql, params, mustChange: true }]);
    this.known = undefined;
    return unit.kind === 'Done';
  }
}

function storedOffset(file: SqliteEventStore): number | undefined {
  return file.query<{ offset: number }>(READ)[0]?.offset;
}

import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql, type Compilable } from 'kysely';
import {
  advanceInMs,
  backwardsError,
  checkTime,
  LAST_INSTANT,
  outOfRangeError,
  type ClockOffset,
} from '@tillstream/payments';
import {
  asStore,
  databaseNow,
  databaseTimeIn,
  PostgresListener,
  type Postgres,
  type PostgresSession,
} from '@tillstream/postgres-driver';
import { build } from './payments.tables.js';

interface PostgresClockOptions {
  /** The first offset of a database that has none, ms. */
  readonly initialOffset: () => number;
  /** Default: `Date.now`. */
  readonly realNow?: () => number;
}

const CHANNEL = 'service_clock';
/** A process that has not renewed itself for so long has ended, or has lost the database and is not ready. */
const ALIVE_MS = 4_000;
const BEAT_INTERVAL_MS = 1_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * Opens the offset, which exists in sandbox mode only. Every process registers as a reader and is notified of each move. A move
 * resolves when all living readers have it, since reading the database for each payment would be too slow.
 */
export async function openPostgresClockOffset(
  database: Postgres,
  { initialOffset, realNow = () => Date.now() }: PostgresClockOptions,
): Promise<PostgresClockOffset> {
  const offset = new PostgresClockOffset(database, realNow);
  await asStore(async () => {
    const begin = build.insertInto('service_clock').values({ one: 1, offset_ms: initialOffset() });
    const stored = await database.all(build.selectFrom('service_clock').select('offset_ms'));
    // If two processes start for the first time at once, the higher offset stays.
    const higher = sql<number>`greatest(service_clock.offset_ms, excluded.offset_ms)`;
    if (stored.length === 0) {
      await database.run(
        begin.onConflict((conflict) => conflict.column('one').doUpdateSet({ offset_ms: higher })),
      );
    }
    await offset.start();
  });
  return offset;
}

/** The offset now, ms, for a command. 0 if no service has kept a clock in this database. */
export async function storedClockOffset(database: Pick<Postgres, 'all'>): Promise<number> {
  const [row] = await database.all(build.selectFrom('service_clock').select('offset_ms'));
  return row?.offset_ms ?? 0;
}

export class PostgresClockOffset implements ClockOffset {
  readonly #reader = randomUUID();
  readonly #listener: PostgresListener;
  #known = 0;

  constructor(
    private readonly database: Postgres,
    private readonly realNow: () => number,
  ) {
    this.#listener = new PostgresListener(database.settings, {
      channel: CHANNEL,
      beatIntervalMs: BEAT_INTERVAL_MS,
      onConnected: (session) => this.#register(session),
      onBeat: async (session) => void (await session.run(this.#registration())),
      onNotice: (payload) => this.#acknowledge(Number(payload)),
    });
  }

  start(): Promise<void> {
    return this.#listener.start();
  }

  async close(): Promise<void> {
    await this.#listener.close();
    const own = build.deleteFrom('service_clock_readers').where('reader', '=', this.#reader);
    await this.database.run(own).catch(() => undefined);
  }

  offsetMs(): number {
    return this.#known;
  }

  async advance(seconds: number): Promise<void> {
    const by = advanceInMs(seconds);
    // Change and check are one statement: two concurrent advances both count, and neither sets the clock back.
    const advanced = build
      .updateTable('service_clock')
      .set(({ eb }) => ({ offset_ms: eb('offset_ms', '+', by) }))
      .where('offset_ms', '<=', LAST_INSTANT - this.realNow() - by)
      .returning('offset_ms');
    if (!(await this.#move(advanced))) throw outOfRangeError();
  }

  async moveTo(time: number): Promise<void> {
    const target = checkTime(time) - this.realNow();
    const moved = build
      .updateTable('service_clock')
      .set({ offset_ms: target })
      .where('offset_ms', '<', target)
      .returning('offset_ms');
    if (!(await this.#move(moved))) throw backwardsError();
  }

  async #move(statement: Compilable<{ readonly offset_ms: number }>): Promise<boolean> {
    const offset = await asStore(() =>
      this.database.transaction(async (session) => {
        const [row] = await session.all(statement);
        if (row) await session.all(notify(row.offset_ms));
        return row?.offset_ms;
      }),
    );
    if (offset === undefined) return false;
    this.#known = Math.max(this.#known, offset);
    await asStore(() => this.#waitForReaders(offset));
    return true;
  }

  /** Readers that have died are waited for until they count as dead. */
  async #waitForReaders(offset: number): Promise<void> {
    const behind = build
      .selectFrom('service_clock_readers')
      .select('reader')
      .where('seen_ms', '<', offset)
      .where('reader', '!=', this.#reader)
      .where('alive_until', '>', databaseNow)
      .limit(1);
    const until = performance.now() + 2 * ALIVE_MS;
    for (
      let pauseMs = FIRST_PAUSE_MS;
      performance.now() < until;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    ) {
      if ((await this.database.all(behind)).length === 0) return;
      await setTimeout(pauseMs);
    }
  }

  #acknowledge(offset: number): void {
    if (!(offset > this.#known)) return;
    this.#known = offset;
    // If this fails, the next heartbeat sends the offset again.
    this.database.run(this.#registration()).catch(() => undefined);
  }

  /**
   * Locks the offset, so that a move either is read here or finds this reader. The connection already gets the notices of
   * moves that commit later.
   */
  async #register(session: PostgresSession): Promise<void> {
    await session.command('begin');
    const [row] = await session.all(build.selectFrom('service_clock').select('offset_ms').forShare());
    this.#known = Math.max(this.#known, row?.offset_ms ?? 0);
    await session.run(this.#registration());
    await session.run(build.deleteFrom('service_clock_readers').where('alive_until', '<', databaseNow));
    await session.command('commit');
  }

  #registration() {
    const values = { seen_ms: this.#known, alive_until: databaseTimeIn(ALIVE_MS) };
    // A registration that was sent earlier can arrive later.
    const seen = sql<number>`greatest(service_clock_readers.seen_ms, excluded.seen_ms)`;
    return build
      .insertInto('service_clock_readers')
      .values({ reader: this.#reader, ...values })
      .onConflict((conflict) => conflict.column('reader').doUpdateSet({ ...values, seen_ms: seen }));
  }
}

function notify(offset: number) {
  return build.selectNoFrom(sql`pg_notify(${CHANNEL}, ${String(offset)})`.as('notified'));
}

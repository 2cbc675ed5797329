import { sql, type Compilable } from 'kysely';
import pg from 'pg';
import { displayDatabase } from './postgres.address.js';
import { PostgresError, toPostgresError } from './postgres.errors.js';
import { PostgresSession } from './postgres.session.js';
import { poolConfig, type PostgresSettings } from './postgres.settings.js';
import { queryBuilder } from './query.builder.js';

export interface PostgresHealth {
  readonly writable: boolean;
  /** Why it can't be written, in words for an operator. */
  readonly reason: string | undefined;
}

const WRITE_STATE = queryBuilder().selectNoFrom([
  sql<boolean>`pg_is_in_recovery()`.as('standby'),
  sql<string>`current_setting('transaction_read_only')`.as('readOnly'),
]);

/** Calls that wait for a connection; further ones are refused at once. */
const WAITING_CALLS_MAX = 2_000;
/** A transaction that concurrent ones undo is run this often. */
const TRANSACTION_RUNS_MAX = 10;

/** Opens no connection yet: the first call does. @throws Error if the file of certificates can't be read */
export function openPostgres(settings: PostgresSettings): Postgres {
  return new Postgres(settings);
}

/** A database, through a pool of connections. Every call rejects with a `PostgresError`. */
export class Postgres {
  /** For logs and messages, without user and password. */
  readonly name: string;
  readonly #pool: pg.Pool;
  #closed: Promise<void> | undefined;

  constructor(readonly settings: PostgresSettings) {
    this.name = displayDatabase(settings.url);
    this.#pool = new pg.Pool(poolConfig(settings));
    // The pool replaces an idle connection that the server has ended.
    this.#pool.on('error', () => undefined);
    // Without a listener, a connection that ends between two statements of a transaction would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Reads. `Unavailable` if the connection is lost. */
  all<Row>(query: Compilable<Row>): Promise<Row[]> {
    return this.#withSession((session) => session.all(query));
  }

  /**
   * Runs one statement, which commits itself: `Unknown` if the connection is lost after it was sent.
   * @returns the number of rows that it changed
   */
  run(statement: Compilable<unknown>): Promise<number> {
    return this.#withSession((session) => session.run(statement, 'Commit'));
  }

  /** As `run`, for a statement that returns rows. */
  returning<Row>(statement: Compilable<Row>): Promise<Row[]> {
    return this.#withSession((session) => session.all(statement, 'Commit'));
  }

  /**
   * Runs `work` in one transaction (read committed), and resolves after its commit. If `work` throws, nothing is written. A
   * transaction that concurrent ones undo is run again. `Unknown` if the connection is lost at the commit.
   */
  async transaction<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    for (let runs = 1; ; runs++) {
      try {
        return await this.#withSession((session) => inTransaction(session, work));
      } catch (error) {
        const isRetryable = error instanceof PostgresError && error.code === 'Retryable';
        if (!isRetryable || runs === TRANSACTION_RUNS_MAX) throw error;
      }
    }
  }

  /** Asks the server. Never rejects. */
  async health(): Promise<PostgresHealth> {
    try {
      const [state] = await this.all(WRITE_STATE);
      const writable = state?.standby === false && state.readOnly === 'off';
      return { writable, reason: writable ? undefined : `${this.name} accepts reads only` };
    } catch (error) {
      return { writable: false, reason: `${this.name}: ${(error as PostgresError).message}` };
    }
  }

  /** Waits for running calls. A repeat does nothing. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    return this.#closed;
  }

  async #withSession<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const session = new PostgresSession(client);
    try {
      return await work(session);
    } finally {
      client.release(session.isBroken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closed) throw new PostgresError('Unavailable', 'the database was closed');
    if (this.#pool.waitingCount >= WAITING_CALLS_MAX) {
      throw new PostgresError('Unavailable', `${WAITING_CALLS_MAX} calls are waiting for a connection`);
    }
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw toPostgresError(error, 'Connect');
    }
  }
}

async function inTransaction<T>(
  session: PostgresSession,
  work: (session: PostgresSession) => Promise<T>,
): Promise<T> {
  await session.command('begin');
  let result: T;
  try {
    result = await work(session);
  } catch (error) {
    // If this fails, the connection is given up, and the server undoes the transaction.
    if (!session.isBroken) await session.command('rollback').catch(() => undefined);
    throw error;
  }
  const done = await session.command('commit', 'Commit');
  // The server answers so if a statement failed and `work` did not pass its error on.
  if (done !== 'COMMIT') throw new PostgresError('Refused', 'a statement of the transaction failed');
  return result;
}

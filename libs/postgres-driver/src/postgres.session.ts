import type { Compilable } from 'kysely';
import type pg from 'pg';
import { endsConnection, toPostgresError, type Phase } from './postgres.errors.js';

/** One connection, for the time of a transaction. Every call rejects with a `PostgresError`. */
export class PostgresSession {
  #isBroken = false;

  constructor(private readonly client: Pick<pg.ClientBase, 'query'>) {}

  /** Whether the connection must not be used again. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  async all<Row>(query: Compilable<Row>, phase: Phase = 'Work'): Promise<Row[]> {
    return (await this.#send<Row & pg.QueryResultRow>(query, phase)).rows;
  }

  /** @returns the number of rows that the statement changed */
  async run(statement: Compilable<unknown>, phase: Phase = 'Work'): Promise<number> {
    return (await this.#send(statement, phase)).rowCount ?? 0;
  }

  /** Runs a statement without values, such as `begin`. Returns the name of what the server did. */
  async command(text: string, phase: Phase = 'Work'): Promise<string> {
    return (await this.#query(text, [], phase)).command;
  }

  #send<Row extends pg.QueryResultRow>(
    query: Compilable<unknown>,
    phase: Phase,
  ): Promise<pg.QueryResult<Row>> {
    const { sql, parameters } = query.compile();
    return this.#query<Row>(sql, parameters, phase);
  }

  async #query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    phase: Phase,
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await this.client.query<Row>({ text, values: [...values] });
    } catch (error) {
      this.#isBroken ||= endsConnection(error);
      throw toPostgresError(error, phase);
    }
  }
}

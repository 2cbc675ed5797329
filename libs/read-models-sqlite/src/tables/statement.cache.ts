import type Database from 'better-sqlite3';
import type { Compilable } from 'kysely';
import { LRUCache } from 'lru-cache';

const STATEMENTS_MAX = 200;

/** The prepared statements of one connection, by their text: SQLite plans a repeated query once. */
export class StatementCache {
  readonly #statements = new LRUCache<string, Database.Statement<unknown[]>>({ max: STATEMENTS_MAX });

  constructor(private readonly db: Database.Database) {}

  prepare(text: string): Database.Statement<unknown[]> {
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.db.prepare<unknown[]>(text)));
    return statement;
  }

  all<Row>(query: Compilable): Row[] {
    const { sql, parameters } = query.compile();
    return this.prepare(sql).all(...parameters) as Row[];
  }

  /** @returns how many rows it changed */
  run(query: Compilable): number {
    const { sql, parameters } = query.compile();
    return this.prepare(sql).run(...parameters).changes;
  }
}

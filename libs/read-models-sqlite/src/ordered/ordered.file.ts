import type Database from 'better-sqlite3';
import type { Compilable } from 'kysely';
import type { Position, RecordedEvent } from '@tillstream/event-store';
import { progressSchema, ProgressTable } from '../tables/progress.table.js';
import type { Advance, Progress } from '../tables/progress.js';
import { compiler, openFile } from '../tables/sqlite.dialect.js';
import type { OrderedProjection, OrderedTables } from '@tillstream/read-models';

const STATEMENTS_MAX = 200;

/** One generation of an ordered projection: a file of its own, with the projection's tables and its progress. */
export class OrderedFile<Tables> {
  readonly #tables: OrderedTables<Tables>;
  readonly #progress: ProgressTable;
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();

  private constructor(
    private readonly db: Database.Database,
    private readonly projection: OrderedProjection<Tables>,
  ) {
    this.#progress = new ProgressTable(db);
    this.#tables = {
      build: compiler<Tables>(),
      all: async <Row>(query: Compilable) => this.#prepared(query).all(...parametersOf(query)) as Row[],
      run: async (statement) => this.#prepared(statement).run(...parametersOf(statement)).changes,
    };
  }

  static create<Tables>(file: string, projection: OrderedProjection<Tables>): OrderedFile<Tables> {
    const db = openFile(file, 'maker');
    try {
      const statements = [...projection.schema(compiler<Tables>()), ...progressSchema()];
      db.exec('begin immediate');
      for (const statement of statements) db.prepare(statement.compile().sql).run(...parametersOf(statement));
      db.exec('commit');
      return new OrderedFile(db, projection);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  static open<Tables>(
    file: string,
    projection: OrderedProjection<Tables>,
    as: 'writer' | 'reader',
  ): OrderedFile<Tables> {
    const db = openFile(file, as);
    try {
      return new OrderedFile(db, projection);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  progress(): Progress {
    return this.#progress.read();
  }

  /**
   * Applies events and moves the checkpoint in one transaction; a throw undoes both. False, and nothing is written, where
   * another process moved the checkpoint since `from`. One call at a time.
   */
  async apply(events: readonly RecordedEvent[], from: Position | undefined, step: Advance): Promise<boolean> {
    this.db.exec('begin immediate');
    try {
      const moved = this.#progress.advance(from, step);
      if (moved) for (const event of events) await this.projection.apply(this.#tables, event);
      this.db.exec('commit');
      return moved;
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('rollback');
      throw error;
    }
  }

  read<Row>(query: Compilable): Promise<readonly Row[]> {
    return this.#tables.all<Row>(query);
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }

  #prepared(query: Compilable): Database.Statement<unknown[]> {
    const { sql: text } = query.compile();
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    const statement = this.db.prepare<unknown[]>(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

function parametersOf(query: Compilable): readonly unknown[] {
  return query.compile().parameters;
}

import type Database from 'better-sqlite3';
import type { Compilable } from 'kysely';
import type { Position, RecordedEvent } from '@tillstream/event-store';
import type { OrderedProjection, OrderedTables } from '@tillstream/read-models';
import { progressSchema, ProgressTable } from '../tables/progress.table.js';
import type { Advance, Progress } from '../tables/progress.js';
import { compiler, openFile } from '../tables/sqlite.dialect.js';
import { StatementCache } from '../tables/statement.cache.js';

/** One generation of an ordered projection: a file with the projection's tables and its progress. */
export class OrderedFile<Tables> {
  readonly #tables: OrderedTables<Tables>;
  readonly #progress: ProgressTable;

  private constructor(
    private readonly db: Database.Database,
    private readonly projection: OrderedProjection<Tables>,
  ) {
    this.#progress = new ProgressTable(db);
    const statements = new StatementCache(db);
    this.#tables = {
      build: compiler<Tables>(),
      all: async <Row>(query: Compilable) => statements.all<Row>(query),
      run: async (statement) => statements.run(statement),
    };
  }

  static create<Tables>(file: string, projection: OrderedProjection<Tables>): OrderedFile<Tables> {
    return OrderedFile.#open(openFile(file, 'maker'), projection, (db) => {
      const statements = new StatementCache(db);
      db.exec('begin immediate');
      for (const statement of [...projection.schema(compiler<Tables>()), ...progressSchema()]) {
        statements.run(statement);
      }
      db.exec('commit');
    });
  }

  static open<Tables>(
    file: string,
    projection: OrderedProjection<Tables>,
    as: 'writer' | 'reader',
  ): OrderedFile<Tables> {
    return OrderedFile.#open(openFile(file, as), projection, () => undefined);
  }

  static #open<Tables>(
    db: Database.Database,
    projection: OrderedProjection<Tables>,
    prepare: (db: Database.Database) => void,
  ): OrderedFile<Tables> {
    try {
      prepare(db);
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
   * Applies events and moves the checkpoint in one transaction; if it throws, neither happens. False, and nothing is
   * written, if another process has moved the checkpoint from `from`. Calls must not overlap.
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
    this.db.close();
  }
}

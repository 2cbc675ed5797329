import type Database from 'better-sqlite3';
import type { Compilable } from 'kysely';
import type { Position, RecordedEvent } from '@tillstream/event-store';
import type {
  Advance,
  ListProgress,
  OrderedProjection,
  OrderedTable,
  OrderedTables,
} from '@tillstream/read-models';
import { progressSchema, ProgressTable } from '../tables/progress.table.js';
import { compiler, openFileWith, StatementCache } from '../tables/sqlite.dialect.js';

/** One generation of an ordered projection: a file with the projection's tables and its progress. */
export class OrderedFile<Tables> implements OrderedTable {
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
    return openFileWith(file, 'maker', (db) => {
      const statements = new StatementCache(db);
      const schema = [...projection.schema(compiler<Tables>()), ...progressSchema()];
      db.transaction(() => schema.forEach((statement) => statements.run(statement))).immediate();
      return new OrderedFile(db, projection);
    });
  }

  static open<Tables>(
    file: string,
    projection: OrderedProjection<Tables>,
    as: 'writer' | 'reader',
  ): OrderedFile<Tables> {
    return openFileWith(file, as, (db) => new OrderedFile(db, projection));
  }

  progress(): ListProgress {
    return this.#progress.read();
  }

  /** Calls must not overlap. */
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

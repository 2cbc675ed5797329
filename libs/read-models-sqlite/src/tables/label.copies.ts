import type Database from 'better-sqlite3';
import type { TableRow, TableShape } from '@tillstream/read-models';
import { compiler, prepare, type Statement, type Tables } from './sqlite.dialect.js';

export const LABEL_COPIES = 'label_copies';

/** So many rows are copied together: then they share most of the index pages that they change. */
export const RECENT_ROWS_MAX = 256;

/**
 * Narrow copies of rows, in a table of their own that has the indexes of the frequent labels. Each value of such a label has
 * its own place in an index, so a new row alone would change a page of every index (docs/adr/0017).
 *
 * All rows up to the last copy have a copy. The rows after it are *recent*: a query reads them one by one.
 */
export class LabelCopies {
  readonly #columns: readonly string[];
  readonly #recentCount: Statement;
  readonly #copyRecent: Statement;
  readonly #update: Statement;

  constructor(db: Database.Database, shape: TableShape) {
    const kysely: Tables = compiler();
    const columns = ['seq', ...copiedColumns(shape)];
    const rows = kysely.selectFrom('rows');
    this.#recentCount = prepare(
      db,
      kysely.selectNoFrom(({ eb }) => eb(lastSeq(kysely, 'rows'), '-', lastCopy(kysely)).as('count')),
    ).pluck();
    this.#copyRecent = prepare(
      db,
      kysely
        .insertInto(LABEL_COPIES)
        .columns(columns)
        .expression(rows.select(columns).where('seq', '>', lastCopy(kysely)).orderBy('seq'))
        // Otherwise SQLite keeps the old pages in memory, to undo this statement alone.
        .orFail(),
    );
    this.#update = prepare(
      db,
      kysely
        .updateTable(LABEL_COPIES)
        .set(Object.fromEntries(columns.slice(1).map((column) => [column, ''])))
        .where('seq', '=', 0),
    );
    this.#columns = [...shape.sorts, ...shape.labels];
  }

  /** Copies all recent rows if they are many. */
  copyIfMany(): void {
    if ((this.#recentCount.get() as number) >= RECENT_ROWS_MAX) this.copyAll();
  }

  copyAll(): void {
    this.#copyRecent.run();
  }

  /** Makes the copy of the row with this `seq` equal to it. A recent row has none. */
  update(seq: number, facets: readonly number[], row: TableRow): void {
    this.#update.run(row.id, ...facets, ...this.#columns.map((column) => row[column]), seq);
  }
}

/** The columns that a list by a label reads. */
export function copiedColumns({ families, sorts, labels }: TableShape): readonly string[] {
  return ['id', ...families.map(({ name }) => name), ...sorts, ...labels];
}

/** The `seq` of the last row that has a copy, or 0. */
export function lastCopy(tables: Tables) {
  return lastSeq(tables, LABEL_COPIES);
}

function lastSeq(tables: Tables, table: string) {
  return tables.selectFrom(table).select(({ fn, lit }) => fn.coalesce(fn.max('seq'), lit(0)).as('last'));
}

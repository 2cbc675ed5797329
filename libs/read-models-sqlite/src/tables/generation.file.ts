import type Database from 'better-sqlite3';
import type { Position } from '@tillstream/event-store';
import {
  indexesOfAllRows,
  indexesOfLabels,
  indexesOfQueues,
  storedColumns,
  type Advance,
  type ComparedTable,
  type IdRange,
  type ListProgress,
  type ListTable,
  type RowSet,
  type TableRow,
  type TableShape,
} from '@tillstream/read-models';
import { FacetTable } from './facet.table.js';
import { LabelCopies } from './label.copies.js';
import {
  createIndexes,
  createTables,
  dropIndexes,
  generationStatements,
  IDS_PER_STATEMENT_MAX,
} from './generation.schema.js';
import { ProgressTable } from './progress.table.js';
import { dataVersion, endBulk, openFileWith, withFile } from './sqlite.dialect.js';

/** If more rows than this have a label, a bulk load builds its indexes at the end. */
const COMMON_LABEL_ROWS = 10_000;

/** One generation of a projection for its writers: a file of its own, on a blocking connection. */
export class GenerationFile implements ListTable, ComparedTable {
  readonly #facets: readonly FacetTable[];
  readonly #columns: readonly string[];
  readonly #statements: ReturnType<typeof generationStatements>;
  readonly #progress: ProgressTable;
  readonly #copies: LabelCopies | undefined;
  /** In a bulk load: the number of rows with each label. */
  readonly #labelRows = new Map<string, number>();
  /** `dataVersion` at the last checkpoint of the write-ahead log. */
  #checkpointedVersion = -1;

  private constructor(
    readonly file: string,
    readonly shape: TableShape,
    private readonly db: Database.Database,
  ) {
    this.#columns = storedColumns(shape);
    this.#statements = generationStatements(db, shape);
    this.#progress = new ProgressTable(db);
    this.#copies = shape.frequentLabels && new LabelCopies(db, shape);
    this.#facets = shape.families.map((family) => new FacetTable(db, family));
  }

  /** Throws if the file does not exist or has other tables. */
  static open(file: string, shape: TableShape): GenerationFile {
    return openFileWith(file, 'writer', (db) => new GenerationFile(file, shape, db));
  }

  /** Makes an empty file with all tables and indexes, in one transaction. */
  static create(file: string, shape: TableShape): void {
    const indexes = [
      ...indexesOfLabels(shape, shape.labels),
      ...indexesOfAllRows(shape),
      ...indexesOfQueues(shape),
    ];
    withFile(file, 'maker', (db) =>
      db.transaction(() => {
        createTables(db, shape);
        createIndexes(db, shape, indexes);
      })(),
    );
  }

  /** Without most of its indexes and without protection against crashes until `finishBulk`. */
  static createBulk(file: string, shape: TableShape): GenerationFile {
    return openFileWith(file, 'bulk', (db) => {
      createTables(db, shape);
      createIndexes(db, shape, indexesOfLabels(shape, shape.labels));
      return new GenerationFile(file, shape, db);
    });
  }

  /**
   * Copies what other connections have written since the last call from the write-ahead log into the file, as far as no
   * reader needs the old pages. Does not wait for locks. @returns whether they have written anything
   */
  checkpointWal(): boolean {
    const version = dataVersion(this.db);
    if (version === this.#checkpointedVersion) return false;
    this.db.pragma('wal_checkpoint(PASSIVE)');
    this.#checkpointedVersion = version;
    return true;
  }

  /** A row whose revision is not higher than that of the stored row changes nothing. */
  write(rows: readonly TableRow[]): void {
    this.#write(() => this.#upsert(rows));
  }

  /** In one transaction. @returns the sets that were not written, because their `after` is not here */
  writeSets(sets: readonly RowSet[]): RowSet[] {
    return this.#write(() => {
      const incomplete: RowSet[] = [];
      for (const set of sets) {
        const { rows, after } = set;
        const isMissing = after && (this.revisions([after.id]).get(after.id) ?? -1) < after.revision;
        if (isMissing) incomplete.push(set);
        else this.#upsert(rows);
      }
      return incomplete;
    });
  }

  writeStep(from: Position | undefined, step: Advance, rows: readonly TableRow[]): boolean {
    return this.#write(() => {
      const moved = this.#progress.advance(from, step);
      if (moved) this.#upsert(rows);
      return moved;
    });
  }

  /**
   * As `write`, for a bulk load. If a label turns out to be common, drops its indexes until the end: sorting all rows at
   * once is faster than adding random values to an index that does not fit into the cache.
   */
  writeBulk(rows: readonly TableRow[]): void {
    this.#transaction(() => {
      this.#upsert(rows);
      for (const label of this.shape.labels) {
        const before = this.#labelRows.get(label) ?? 0;
        const after = before + rows.filter((row) => row[label] !== null).length;
        this.#labelRows.set(label, after);
        if (before <= COMMON_LABEL_ROWS && after > COMMON_LABEL_ROWS) {
          dropIndexes(this.db, indexesOfLabels(this.shape, [label]));
        }
      }
    });
  }

  /** Calls `onIndexed` after each index. */
  finishBulk(onIndexed: () => void): void {
    const common = this.shape.labels.filter((label) => (this.#labelRows.get(label) ?? 0) > COMMON_LABEL_ROWS);
    const indexes = [...indexesOfAllRows(this.shape), ...indexesOfLabels(this.shape, common)];
    this.#copies?.copyAll();
    createIndexes(this.db, this.shape, indexes, onIndexed);
    createIndexes(this.db, this.shape, indexesOfQueues(this.shape));
    endBulk(this.db);
  }

  revisions(ids: readonly string[]): ReadonlyMap<string, number> {
    const { revision, revisions } = this.#statements;
    const found = new Map<string, number>();
    for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT_MAX) {
      const chunk = ids.slice(from, from + IDS_PER_STATEMENT_MAX);
      // The statement has a fixed number of ids: the rest is filled with an id that no row has.
      const rows =
        chunk.length === 1
          ? revision.all(chunk)
          : revisions.all([...chunk, ...Array<string>(IDS_PER_STATEMENT_MAX - chunk.length).fill('')]);
      for (const row of rows as Pick<TableRow, 'id' | 'revision'>[]) found.set(row.id, row.revision);
    }
    return found;
  }

  newestRevisions(ranges: readonly IdRange[]): (number | undefined)[] {
    return ranges.map(({ from, to }) => {
      const row = this.#statements.newest.get(from, to) as { readonly revision: number | null };
      return row.revision ?? undefined;
    });
  }

  progress(): ListProgress {
    return this.#progress.read();
  }

  count(): number {
    return (this.#statements.count.get() as { count: number }).count;
  }

  page(afterId: string, limit: number): TableRow[] {
    return this.#statements.page.all(afterId, limit) as TableRow[];
  }

  rows(ids: readonly string[]): TableRow[] {
    return ids.flatMap((id) => (this.#statements.row.get(id) as TableRow | undefined) ?? []);
  }

  close(): void {
    this.db.close();
  }

  #upsert(rows: readonly TableRow[]): void {
    for (const row of rows) {
      const facets = this.#facets.map((table) => table.numberOf(row));
      const values = this.#columns.map((column) => row[column]);
      const seq = this.#copies && (this.#statements.seq.get(row.id) as number | undefined);
      const { changes } = this.#statements.upsert.run(row.id, row.revision, ...facets, ...values);
      if (changes > 0 && seq !== undefined) this.#copies?.update(seq, facets, row);
    }
  }

  #write<T>(work: () => T): T {
    return this.#transaction(() => {
      const value = work();
      this.#copies?.copyIfMany();
      return value;
    });
  }

  /** Rolls back if `work` throws. */
  #transaction<T>(work: () => T): T {
    this.db.exec('begin immediate');
    try {
      const value = work();
      this.db.exec('commit');
      return value;
    } catch (error) {
      for (const facets of this.#facets) facets.forget();
      if (this.db.inTransaction) this.db.exec('rollback');
      throw error;
    }
  }
}

import type Database from 'better-sqlite3';
import type { Position } from '@tillstream/event-store';
import { FacetTable } from './facet.table.js';
import {
  createIndexes,
  createQueueIndexes,
  createTables,
  dropIndexes,
  indexesOfAllRows,
  indexesOfLabels,
} from './generation.schema.js';
import {
  generationStatements,
  IDS_PER_STATEMENT_MAX,
  type GenerationStatements,
} from './generation.statements.js';
import type { Advance, Progress } from './progress.js';
import { ProgressTable } from './progress.table.js';
import { dataVersion, endBulk, openFile } from './sqlite.dialect.js';
import type { FlatRow, SqlValue, TableShape } from '@tillstream/read-models';

/** More rows with a label than this are indexed at the end of a bulk load. */
const COMMON_LABEL_ROWS = 10_000;
/** In a row: behind its id and revision. */
const FIRST_FACET = 2;

/** One generation of a projection, as its writers have it: a file of its own, on a blocking connection. */
export class GenerationFile {
  readonly #db: Database.Database;
  readonly #facets: readonly FacetTable[];
  readonly #statements: GenerationStatements;
  readonly #progress: ProgressTable;
  /** In bulk: rows with each label. */
  readonly #given = new Map<string, number>();
  /** Of the file, when it was last checkpointed. */
  #checkpointed = -1;

  private constructor(
    readonly file: string,
    readonly shape: TableShape,
    db: Database.Database,
  ) {
    this.#db = db;
    this.#statements = generationStatements(db, shape);
    this.#progress = new ProgressTable(db);
    this.#facets = shape.families.map((family) => new FacetTable(db, shape, family));
  }

  /** Throws where the file does not exist or holds something else. */
  static open(file: string, shape: TableShape): GenerationFile {
    const db = openFile(file, 'writer');
    try {
      return new GenerationFile(file, shape, db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** `bulk`: without most of its indexes, and not safe, until `finishBulk`. */
  static create(file: string, shape: TableShape, { bulk }: { readonly bulk: boolean }): GenerationFile {
    const db = openFile(file, bulk ? 'bulk' : 'maker');
    try {
      createTables(db, shape);
      createIndexes(db, shape, indexesOfLabels(shape, shape.labels));
      if (!bulk) {
        createIndexes(db, shape, indexesOfAllRows(shape));
        createQueueIndexes(db, shape);
      }
      return new GenerationFile(file, shape, db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /**
   * Takes into the file what others wrote since the last time, as far as nobody reads what was before. Waits for no one.
   * Gives whether they wrote anything.
   */
  checkpointWal(): boolean {
    const version = dataVersion(this.#db);
    if (version === this.#checkpointed) return false;
    this.#db.pragma('wal_checkpoint(PASSIVE)');
    this.#checkpointed = version;
    return true;
  }

  /** All of `work` or nothing; a throw undoes it. */
  transaction<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      const value = work();
      this.#db.exec('commit');
      return value;
    } catch (error) {
      for (const facets of this.#facets) facets.forget();
      if (this.#db.inTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  /** Rows of an equal or lower revision than what is there change nothing. Only in a transaction. Gives how many changed. */
  write(rows: readonly FlatRow[]): number {
    const { upsert } = this.#statements;
    const rest = FIRST_FACET + this.shape.facetColumns.length;
    let changed = 0;
    for (const row of rows) {
      const values: SqlValue[] = [row[0] ?? null, row[1] ?? null];
      for (const facets of this.#facets) values.push(facets.numberOf(row));
      for (let index = rest; index < row.length; index++) values.push(row[index] ?? null);
      changed += upsert.run(values).changes;
    }
    return changed;
  }

  /**
   * As `transact`, for `bulk`. A label that turns out to be common loses its indexes until the end: sorting all at once is
   * cheaper then. Of one that is rare it is not: each index made at the end reads every row.
   */
  writeBulk(rows: readonly FlatRow[]): void {
    this.write(rows);
    const { facetColumns, sorts, labels } = this.shape;
    const first = FIRST_FACET + facetColumns.length + sorts.length;
    for (const [index, label] of labels.entries()) {
      const before = this.#given.get(label) ?? 0;
      const given = before + rows.filter((row) => row[first + index] !== null).length;
      this.#given.set(label, given);
      if (before <= COMMON_LABEL_ROWS && given > COMMON_LABEL_ROWS) {
        dropIndexes(this.#db, this.shape, indexesOfLabels(this.shape, [label]));
      }
    }
  }

  /** Calls `made` after each index. */
  finishBulk(made: () => void): void {
    const common = this.shape.labels.filter((label) => (this.#given.get(label) ?? 0) > COMMON_LABEL_ROWS);
    const indexes = [...indexesOfAllRows(this.shape), ...indexesOfLabels(this.shape, common)];
    createIndexes(this.#db, this.shape, indexes, made);
    createQueueIndexes(this.#db, this.shape);
    endBulk(this.#db);
  }

  /** Of those that are there. */
  revisions(ids: readonly string[]): ReadonlyMap<string, number> {
    const { revision, revisions } = this.#statements;
    const found = new Map<string, number>();
    for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT_MAX) {
      const some = ids.slice(from, from + IDS_PER_STATEMENT_MAX);
      // One text for every length: what is left over asks for an id that nothing has.
      const rows =
        some.length === 1
          ? revision.all(some)
          : revisions.all([...some, ...Array<string>(IDS_PER_STATEMENT_MAX - some.length).fill('')]);
      for (const row of rows as { id: string; revision: number }[]) found.set(row.id, row.revision);
    }
    return found;
  }

  /** The highest revision of the rows between two ids, both inclusive; undefined where there is none. */
  newestRevision(from: string, to: string): number | undefined {
    const row = this.#statements.newest.get(from, to) as { readonly revision: number | null };
    return row.revision ?? undefined;
  }

  progress(): Progress {
    return this.#progress.read();
  }

  /** Compare and swap: false where somebody else moved it since. Only in a transaction, with the rows it stands for. */
  advance(from: Position | undefined, step: Advance): boolean {
    return this.#progress.advance(from, step);
  }

  count(): number {
    return (this.#statements.count.get() as { count: number }).count;
  }

  /** In the order of ids, with the values of `rowColumns`. */
  page(afterId: string, limit: number): FlatRow[] {
    return this.#statements.page.raw().all(afterId, limit) as SqlValue[][];
  }

  row(id: string): FlatRow | undefined {
    return this.#statements.row.raw().get(id) as SqlValue[] | undefined;
  }

  close(): void {
    this.#db.close();
  }
}

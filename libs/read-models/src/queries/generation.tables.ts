import type { Compilable, Kysely } from 'kysely';
import type { SqlValue } from '../projections/table.shape.js';
import type { ProjectionName } from '../read-models.types.js';
import type { FoundRow, IndexScan } from './list.plan.js';

/* What queries need of a database. They are built with Kysely's common subset of SQLite and PostgreSQL. */

export type Columns = Readonly<Record<string, SqlValue>>;

/** The tables of one generation: `rows`, `progress`, and a facet table with the name of each family. */
export interface GenerationTables {
  readonly [table: string]: Columns;
}

export type Tables = Kysely<GenerationTables>;

/** One generation, for queries. */
export interface GenerationReader {
  /** Its number. */
  readonly generation: number;
  /** It was made from the event store that this process reads: positions of another store can't be compared. */
  readonly isOfThisStore: boolean;
  /** Builds statements for its tables; `all` runs them. */
  readonly tables: Tables;
  all<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
}

export interface LiveGenerations {
  /**
   * Runs `query` on the generation that is live when the call begins.
   * @throws ReadModelUnavailable if no generation can answer
   */
  query<T>(projection: ProjectionName, query: (reader: GenerationReader) => Promise<T>): Promise<T>;
}

/** How a database reads many ordered ranges of an index as one list. */
export interface MergedRanges {
  /**
   * The first rows in the order of the scan, with the columns `content`. However long the ranges are, the cost is that of
   * finding their beginnings and of at most `limit` rows of each.
   * @returns `limit` rows or more, not sorted
   */
  rows(
    reader: GenerationReader,
    scan: IndexScan,
    content: readonly string[],
    limit: number,
  ): Promise<readonly FoundRow[]>;
  /** The number of rows in all ranges, counted up to `countMax`; `after` is ignored. */
  count(reader: GenerationReader, scan: IndexScan, countMax: number): Promise<number>;
}

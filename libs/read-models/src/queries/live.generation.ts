import type { Compilable, Kysely } from 'kysely';
import type { SqlValue } from '../projections/table.shape.js';
import type { ListProgress } from '../projector/list.progress.js';
import type { ProjectionName } from '../read-models.types.js';
import type { FoundRow, IndexScan } from './list.plan.js';

/* What queries need of a database. They are built of the statements that SQLite and PostgreSQL have in common. */

export type Columns = Readonly<Record<string, SqlValue>>;

/** The tables of one generation: `rows`, and a facet table with the name of each family. */
export interface GenerationTables {
  readonly [table: string]: Columns;
}

export type Tables = Kysely<GenerationTables>;

/** The generation of a list that is live when a query begins. */
export interface LiveGeneration {
  /** Its number. */
  readonly generation: number;
  /** The name of the event store that it was made from: positions of another store can't be compared. */
  readonly source: string;
  /** Builds statements on its tables. Runs nothing. */
  readonly build: Tables;
  /** The rows of a query. Counts and sums may be texts. */
  readonly all: <Row>(query: Compilable<Row>) => Promise<readonly Row[]>;
  readonly progress: () => Promise<ListProgress>;
}

export interface LiveGenerations {
  /**
   * Runs `work` on the generation that is live now.
   * @throws ReadModelUnavailable if no generation can answer
   */
  query<T>(projection: ProjectionName, work: (live: LiveGeneration) => Promise<T>): Promise<T>;
}

/** How a database reads many ordered ranges of an index as one list. */
export interface MergedRanges {
  /**
   * The first rows in the order of the scan, with the columns `content`. However long the ranges are, the cost is that of
   * finding their beginnings and of at most `limit` rows of each. Returns up to `limit` rows, or some more that are not
   * sorted.
   */
  rows(
    generation: LiveGeneration,
    scan: IndexScan,
    content: readonly string[],
    limit: number,
  ): Promise<readonly FoundRow[]>;
  /** The number of rows in all ranges, counted up to `countMax`. The scan's `after` is ignored. */
  count(generation: LiveGeneration, scan: IndexScan, countMax: number): Promise<number>;
}

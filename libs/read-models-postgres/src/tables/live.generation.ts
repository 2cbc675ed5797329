import type { Compilable } from 'kysely';
import type { ProjectionName, ListProgress } from '@tillstream/read-models';
import type { Generation } from '../control/generation.js';
import type { Tables } from './generation.tables.js';

/** One generation, for queries. */
export interface LiveGeneration extends Pick<Generation, 'generation' | 'source' | 'projection'> {
  /** Builds queries on `rows` and on the facet table of each family. Table names in raw SQL do not get the schema. */
  readonly build: Tables;
  /** Of the tables; for `sql.table(`${schema}.rows`)`. */
  readonly schema: string;
  /** The rows of a query. A sum of `bigint` columns comes as text, a count as a number. */
  all<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  progress(): Promise<ListProgress>;
}

/** Runs each query on the generation that is live when the query starts. */
export interface LiveGenerations {
  /** @throws ReadModelUnavailable if no generation can answer, or the database is away */
  query<T>(projection: ProjectionName, work: (live: LiveGeneration) => Promise<T>): Promise<T>;
}

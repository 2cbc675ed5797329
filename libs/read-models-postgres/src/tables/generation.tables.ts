import type { Kysely } from 'kysely';
import { queryBuilder } from '@tillstream/postgres-driver';
import type { SqlValue } from '@tillstream/read-models';
import { schemaOf, type Generation } from '../control/generation.js';

export type Columns = Readonly<Record<string, SqlValue>>;

/** The tables of one generation: `rows`, and a facet table with the name of each family. */
export interface GenerationTables {
  readonly [table: string]: Columns;
}
export type Tables = Kysely<GenerationTables>;

/** Builds statements on the tables of one generation; their names get its schema. Runs nothing. */
export function tablesOf<Named = GenerationTables>(
  generation: Pick<Generation, 'projection' | 'generation'>,
): Kysely<Named> {
  return queryBuilder<Named>().withSchema(schemaOf(generation));
}

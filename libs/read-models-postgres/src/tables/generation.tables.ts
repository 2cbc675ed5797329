import type { Kysely } from 'kysely';
import { queryBuilder } from '@tillstream/postgres-driver';
import type { GenerationTables } from '@tillstream/read-models';
import { schemaOf, type NumberedGeneration } from '../control/generation.js';

/** Builds statements on the tables of one generation; their names get its schema. Runs nothing. */
export function tablesOf<Named = GenerationTables>(generation: NumberedGeneration): Kysely<Named> {
  return queryBuilder<Named>().withSchema(schemaOf(generation));
}

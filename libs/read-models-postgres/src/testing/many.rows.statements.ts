import { sql, type Compilable } from 'kysely';
import { queryBuilder } from '@tillstream/postgres-driver';
import type { TableShape } from '@tillstream/read-models';
import { manyRows, type FacetRows, type NumberedId } from '@tillstream/read-models/testing';
import { schemaOf, type NumberedGeneration } from '../control/generation.js';
import { tablesOf } from '../tables/generation.tables.js';

const numberedId: NumberedId = (prefix, number) => `('${prefix}' || lpad((${number})::text, 26, '0'))`;

/** The statements that number the combinations of a list's many rows, in empty tables. */
export function manyFacets(
  generation: NumberedGeneration,
  shape: TableShape,
  count: number,
): Compilable<unknown>[] {
  const build = tablesOf(generation);
  const { families } = manyRows(shape.projection, count, numberedId);
  return Object.entries(families).flatMap(([name, { values }]: [string, FacetRows]) => {
    const columns = shape.families.find((family) => family.name === name)?.columns ?? [];
    return values.map((row) =>
      build
        .insertInto(name)
        .values(Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
    );
  });
}

/** The statement that writes the rows `from` (inclusive) to `to` (exclusive) of `count` rows. */
export function manyRowsInsert(
  generation: NumberedGeneration,
  shape: TableShape,
  count: number,
  { from, to }: { readonly from: number; readonly to: number },
): Compilable<unknown> {
  const { families, columns } = manyRows(shape.projection, count, numberedId);
  const chosen = Object.entries(families).map(([name, facets]) => [name, facets.chosen] as const);
  const all = [...chosen, ...Object.entries(columns)];
  const statement = sql`insert into ${sql.table(`${schemaOf(generation)}.rows`)}
    (${sql.join(all.map(([column]) => sql.ref(column)))})
    select ${sql.join(all.map(([, expression]) => sql.raw(expression)))}
    from generate_series(${from}::int8, ${to - 1}::int8) as numbers(n)`;
  return { compile: () => statement.compile(queryBuilder()) };
}

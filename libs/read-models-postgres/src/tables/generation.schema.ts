import { sql, type Compilable, type CreateTableBuilder, type RawBuilder, type SchemaModule } from 'kysely';
import { binaryText, queryBuilder } from '@tillstream/postgres-driver';
import {
  createIndex,
  indexesOfAllRows,
  indexesOfLabels,
  indexesOfQueues,
  numberColumns,
  type FacetFamily,
  type TableShape,
} from '@tillstream/read-models';
import { schemaOf, type NumberedGeneration } from '../control/generation.js';
import { tablesOf } from './generation.tables.js';

type Statements = readonly Compilable<unknown>[];

const { schema: unqualified } = queryBuilder();

export function createSchema(generation: NumberedGeneration): Compilable<unknown> {
  return unqualified.createSchema(schemaOf(generation));
}

/** Drops all tables of a generation. */
export function dropSchema(generation: NumberedGeneration): Compilable<unknown> {
  return unqualified.dropSchema(schemaOf(generation)).ifExists().cascade();
}

/** The empty tables of a list, without the indexes of `listIndexes`. Text has the order of its bytes, as in SQLite. */
export function listTables(generation: NumberedGeneration, shape: TableShape): Statements {
  const { families, sorts, labels, content } = shape;
  const { schema } = tablesOf(generation);
  let rows = schema
    .createTable('rows')
    .addColumn('id', binaryText, (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull());
  for (const { name } of families) rows = rows.addColumn(name, 'integer', (column) => column.notNull());
  for (const sort of sorts) rows = rows.addColumn(sort, 'bigint', (column) => column.notNull());
  for (const name of labels) rows = rows.addColumn(name, binaryText);
  for (const name of content) rows = rows.addColumn(name, 'text');
  for (const name of numberColumns(shape)) rows = rows.addColumn(name, 'bigint');
  // Kept fresh while rows arrive, so that pages and counts need only the indexes.
  rows = rows.modifyEnd(
    sql`with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
  );
  return [rows, ...families.flatMap((family) => facetTable(schema, family, shape.integerFacets))];
}

/** Each combination of a family's values that occurs, with its number. */
function facetTable(schema: SchemaModule, { name, columns }: FacetFamily, integers: readonly string[] = []) {
  let table: CreateTableBuilder<string, string> = schema
    .createTable(name)
    .addColumn('facet', 'integer', (column) => column.generatedAlwaysAsIdentity().primaryKey());
  for (const column of columns) {
    const type = integers.includes(column) ? 'integer' : binaryText;
    table = table.addColumn(column, type, (definition) => definition.notNull());
  }
  return [table.addUniqueConstraint(`${name}_values`, [...columns])];
}

/** The indexes of `rows` besides that of its id: those of all rows, of labels and of queues. */
export function listIndexes(generation: NumberedGeneration, shape: TableShape): Statements {
  const { schema } = tablesOf(generation);
  const indexes = [
    ...indexesOfAllRows(shape),
    ...indexesOfLabels(shape, shape.labels),
    ...indexesOfQueues(shape),
  ];
  return indexes.map((index) => createIndex(schema, index));
}

/**
 * For after a bulk load: tells the planner of the rows, for which it would otherwise choose plans for empty tables, and lets
 * pages and counts read only the indexes. Not inside a transaction.
 */
export function vacuumed(generation: NumberedGeneration, { families }: TableShape): Statements {
  return ['rows', ...families.map(({ name }) => name)].map((table) =>
    raw(sql`vacuum (freeze, analyze) ${sql.table(`${schemaOf(generation)}.${table}`)}`),
  );
}

function raw(statement: RawBuilder<unknown>): Compilable<unknown> {
  return { compile: () => statement.compile(queryBuilder()) };
}

import { sql, type Compilable, type CreateTableBuilder, type RawBuilder, type SchemaModule } from 'kysely';
import { binaryText, queryBuilder } from '@tillstream/postgres-driver';
import { numberColumns, type FacetFamily, type TableShape } from '@tillstream/read-models';
import { schemaOf, type Generation } from '../control/generation.js';
import { tablesOf } from './generation.tables.js';

type Numbered = Pick<Generation, 'projection' | 'generation'>;
type Statements = readonly Compilable<unknown>[];

const { schema: unqualified } = queryBuilder();

export function createSchema(generation: Numbered): Compilable<unknown> {
  return unqualified.createSchema(schemaOf(generation));
}

/** Drops all tables of a generation. */
export function dropSchema(generation: Numbered): Compilable<unknown> {
  return unqualified.dropSchema(schemaOf(generation)).ifExists().cascade();
}

/** The empty tables of a list, without the indexes of `listIndexes`. Text has the order of its bytes, as in SQLite. */
export function listTables(generation: Numbered, shape: TableShape): Statements {
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

/**
 * The indexes of `rows` besides that of its id: for each sort one behind every family, and one behind every label that is
 * not null. Each ends with the other families, so that a filter by them need not read the row. Then those of the queues,
 * which hold only rows that wait.
 */
export function listIndexes(generation: Numbered, shape: TableShape): Statements {
  const { families, labels, queues = [] } = shape;
  const { schema } = tablesOf(generation);
  return [
    ...families.flatMap((family) => sortIndexes(schema, shape, family)),
    ...labels.flatMap((label) => sortIndexes(schema, shape, families[0], label)),
    ...queues.map((queue) =>
      schema
        .createIndex(`rows_by_${queue}`)
        .on('rows')
        .columns([families[0].name, queue, 'id'])
        .where(queue, 'is not', null),
    ),
  ];
}

function sortIndexes(
  schema: SchemaModule,
  { families, sorts }: TableShape,
  family: FacetFamily,
  label?: string,
): Statements {
  const others = families.filter((other) => other !== family).map(({ name }) => name);
  return sorts.map((sort) => {
    const columns = [...(label === undefined ? [] : [label]), family.name, sort, 'id', ...others];
    const create = schema.createIndex(`rows_by_${label ?? family.name}_${sort}`).on('rows').columns(columns);
    return label === undefined ? create : create.where(label, 'is not', null);
  });
}

/**
 * For after a bulk load: tells the planner of the rows, for which it would otherwise choose plans for empty tables, and lets
 * pages and counts read only the indexes. Not inside a transaction.
 */
export function vacuumed(generation: Numbered, { families }: TableShape): Statements {
  return ['rows', ...families.map(({ name }) => name)].map((table) =>
    raw(sql`vacuum (freeze, analyze) ${sql.table(`${schemaOf(generation)}.${table}`)}`),
  );
}

function raw(statement: RawBuilder<unknown>): Compilable<unknown> {
  return { compile: () => statement.compile(queryBuilder()) };
}

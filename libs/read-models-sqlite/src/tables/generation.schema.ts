import type Database from 'better-sqlite3';
import type { Compilable } from 'kysely';
import {
  createIndex,
  numberColumns,
  rowColumns,
  storedColumns,
  type FacetFamily,
  type RowIndex,
  type TableShape,
} from '@tillstream/read-models';
import { progressSchema } from './progress.table.js';
import { compiler, NUMBERED_KEY, prepare, type Statement, type Tables } from './sqlite.dialect.js';

export const IDS_PER_STATEMENT_MAX = 200;

export function createTables(db: Database.Database, shape: TableShape): void {
  const kysely: Tables = compiler();
  const { families, sorts, labels, content } = shape;
  let rows = kysely.schema
    .createTable('rows')
    .addColumn('seq', NUMBERED_KEY, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull());
  for (const { name } of families) rows = rows.addColumn(name, 'integer', (column) => column.notNull());
  for (const sort of sorts) rows = rows.addColumn(sort, 'bigint', (column) => column.notNull());
  for (const name of [...labels, ...content]) rows = rows.addColumn(name, 'text');
  for (const name of numberColumns(shape)) rows = rows.addColumn(name, 'bigint');
  const statements = [
    rows,
    kysely.schema.createIndex('rows_by_id').unique().on('rows').column('id'),
    ...families.flatMap((family) => facetTable(kysely, family, shape.integerFacets)),
    ...progressSchema(),
  ];
  for (const statement of statements) db.exec(statement.compile().sql);
}

function facetTable({ schema }: Tables, { name, columns }: FacetFamily, integers: readonly string[] = []) {
  let table = schema.createTable(name).addColumn('facet', NUMBERED_KEY, (column) => column.primaryKey());
  for (const column of columns) {
    const type = integers.includes(column) ? 'integer' : 'text';
    table = table.addColumn(column, type, (definition) => definition.notNull());
  }
  const values = schema.createIndex(`${name}_by_values`).unique().on(name);
  return [table, values.columns([...columns])];
}

/** Calls `onIndexed` after each. */
export function createIndexes(
  db: Database.Database,
  indexes: readonly RowIndex[],
  onIndexed: () => void = () => undefined,
): void {
  const { schema }: Tables = compiler();
  for (const index of indexes) {
    db.exec(createIndex(schema, index).compile().sql);
    onIndexed();
  }
}

export function dropIndexes(db: Database.Database, indexes: readonly RowIndex[]): void {
  const { schema }: Tables = compiler();
  for (const { name } of indexes) db.exec(schema.dropIndex(name).compile().sql);
}

export type GenerationStatements = Readonly<
  Record<'upsert' | 'revision' | 'revisions' | 'newest' | 'count' | 'row' | 'page', Statement>
>;

/** The statements of a generation's writers. The order of the placeholders is that of the columns and conditions here. */
export function generationStatements(db: Database.Database, shape: TableShape): GenerationStatements {
  const kysely: Tables = compiler();
  const prepared = (query: Compilable): Statement => prepare(db, query);
  const families = shape.families.map(({ name }) => name);
  const columns = ['id', 'revision', ...families, ...storedColumns(shape)];
  const revisions = kysely.selectFrom('rows').select(['id', 'revision']);
  const whole = families.reduce(
    (query, name) => query.innerJoin(name, `${name}.facet`, `rows.${name}`),
    kysely.selectFrom('rows').select(rowColumns(shape).map((column) => qualified(shape, column))),
  );
  return {
    upsert: prepared(
      kysely
        .insertInto('rows')
        .values(Object.fromEntries(columns.map((column) => [column, ''])))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(({ ref }) =>
              Object.fromEntries(columns.slice(1).map((column) => [column, ref(`excluded.${column}`)])),
            )
            .where('rows.revision', '<', ({ ref }) => ref('excluded.revision')),
        ),
    ),
    revision: prepared(revisions.where('id', '=', '')),
    revisions: prepared(revisions.where('id', 'in', Array<string>(IDS_PER_STATEMENT_MAX).fill(''))),
    newest: prepared(
      kysely
        .selectFrom('rows')
        .select(({ fn }) => fn.max('revision').as('revision'))
        .where('id', '>=', '')
        .where('id', '<=', ''),
    ),
    count: prepared(kysely.selectFrom('rows').select(({ fn }) => fn.countAll().as('count'))),
    row: prepared(whole.where('rows.id', '=', '')),
    page: prepared(whole.where('rows.id', '>', '').orderBy('rows.id').limit(1)),
  };
}

/** A column of `rowColumns` with the table that holds it. */
function qualified({ families }: TableShape, column: string): string {
  const family = families.find(({ columns }) => columns.includes(column));
  return family ? `${family.name}.${column}` : `rows.${column}`;
}

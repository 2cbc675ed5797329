import type Database from 'better-sqlite3';
import { sql, type ColumnDefinitionBuilder, type Compilable, type CreateTableBuilder } from 'kysely';
import {
  createIndex,
  isFrequentLabel,
  numberColumns,
  rowColumns,
  storedColumns,
  type FacetFamily,
  type RowIndex,
  type SqlValue,
  type TableShape,
} from '@tillstream/read-models';
import { copiedColumns, LABEL_COPIES, lastCopy } from './label.copies.js';
import { progressSchema } from './progress.table.js';
import { compiler, NUMBERED_KEY, prepare, type Statement, type Tables } from './sqlite.dialect.js';

export const IDS_PER_STATEMENT_MAX = 200;

export function createTables(db: Database.Database, shape: TableShape): void {
  const kysely: Tables = compiler();
  let rows = withListColumns(numberedTable(kysely, 'rows').addColumn('revision', 'integer', notNull), shape);
  for (const name of shape.content) rows = rows.addColumn(name, 'text');
  for (const name of numberColumns(shape)) rows = rows.addColumn(name, 'bigint');
  const statements = [
    rows,
    kysely.schema.createIndex('rows_by_id').unique().on('rows').column('id'),
    ...(shape.frequentLabels ? [withListColumns(numberedTable(kysely, LABEL_COPIES), shape)] : []),
    ...shape.families.flatMap((family) => facetTable(kysely, family, shape.integerFacets)),
    ...progressSchema(),
  ];
  for (const statement of statements) db.exec(statement.compile().sql);
}

function numberedTable({ schema }: Tables, name: string) {
  return schema
    .createTable(name)
    .addColumn('seq', NUMBERED_KEY, (column) => column.primaryKey())
    .addColumn('id', 'text', notNull);
}

/** The columns by which lists are chosen and sorted. */
function withListColumns<Name extends string>(
  table: CreateTableBuilder<Name, string>,
  { families, sorts, labels }: TableShape,
): CreateTableBuilder<Name, string> {
  let listed = table;
  for (const { name } of families) listed = listed.addColumn(name, 'integer', notNull);
  for (const sort of sorts) listed = listed.addColumn(sort, 'bigint', notNull);
  for (const label of labels) listed = listed.addColumn(label, 'text');
  return listed;
}

function notNull(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull();
}

function facetTable({ schema }: Tables, { name, columns }: FacetFamily, integers: readonly string[] = []) {
  let table = schema.createTable(name).addColumn('facet', NUMBERED_KEY, (column) => column.primaryKey());
  for (const column of columns) {
    const type = integers.includes(column) ? 'integer' : 'text';
    table = table.addColumn(column, type, notNull);
  }
  const values = schema.createIndex(`${name}_by_values`).unique().on(name);
  return [table, values.columns([...columns])];
}

/** Calls `onIndexed` after each. */
export function createIndexes(
  db: Database.Database,
  shape: TableShape,
  indexes: readonly RowIndex[],
  onIndexed: () => void = () => undefined,
): void {
  const { schema }: Tables = compiler();
  for (const index of indexes) {
    const table = isFrequentLabel(shape, index.columns[0]) ? LABEL_COPIES : 'rows';
    db.exec(createIndex(schema, index, table).compile().sql);
    onIndexed();
  }
}

export function dropIndexes(db: Database.Database, indexes: readonly RowIndex[]): void {
  const { schema }: Tables = compiler();
  for (const { name } of indexes) db.exec(schema.dropIndex(name).compile().sql);
}

export type GenerationStatements = Readonly<
  Record<'upsert' | 'seq' | 'revision' | 'revisions' | 'newest' | 'count' | 'row' | 'page', Statement>
>;

/** The statements of a generation's writers. The order of the placeholders is that of the columns and conditions here. */
export function generationStatements(db: Database.Database, shape: TableShape): GenerationStatements {
  const kysely: Tables = compiler();
  const prepared = (query: Compilable): Statement => prepare(db, query);
  const families = shape.families.map(({ name }) => name);
  const columns = ['id', 'revision', ...families, ...storedColumns(shape)];
  const revisions = kysely.selectFrom('rows').select(['id', 'revision']);
  const whole = wholeRows(kysely, shape);
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
    seq: prepared(kysely.selectFrom('rows').select('seq').where('id', '=', '')).pluck(),
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

/** Rows with the values of their facets. What a row has a copy of comes from the copy, so that a comparison sees a wrong one. */
function wholeRows(kysely: Tables, shape: TableShape) {
  const facetOf = new Map(
    shape.families.flatMap(({ name, columns }) => columns.map((column) => [column, name])),
  );
  const copied = new Set(shape.frequentLabels && copiedColumns(shape));
  const value = (column: string) =>
    copied.has(column)
      ? sql<SqlValue>`iif(rows.seq <= ${lastCopy(kysely)}, ${sql.ref(`${LABEL_COPIES}.${column}`)}, ${sql.ref(`rows.${column}`)})`
      : sql<SqlValue>`${sql.ref(`${facetOf.get(column) ?? 'rows'}.${column}`)}`;
  let query = kysely.selectFrom('rows').select(rowColumns(shape).map((column) => value(column).as(column)));
  if (shape.frequentLabels) query = query.leftJoin(LABEL_COPIES, `${LABEL_COPIES}.seq`, 'rows.seq');
  for (const { name } of shape.families) {
    query = query.innerJoin(name, (join) => join.on(`${name}.facet`, '=', value(name)));
  }
  return query;
}

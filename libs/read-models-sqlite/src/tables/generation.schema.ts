import type Database from 'better-sqlite3';
import { type FacetFamily, numberColumns, type TableShape } from '@tillstream/read-models';
import { progressSchema } from './progress.table.js';
import { compiler, NUMBERED_KEY, type Tables } from './sqlite.dialect.js';

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

/** The first columns of an index of rows: a family, or a label and the first family. */
interface IndexedBy {
  readonly family: FacetFamily;
  readonly label?: string;
}

export function indexesOfAllRows({ families }: TableShape): readonly IndexedBy[] {
  return families.map((family) => ({ family }));
}

export function indexesOfLabels({ families }: TableShape, labels: readonly string[]): readonly IndexedBy[] {
  return labels.map((label) => ({ family: families[0], label }));
}

/** Creates one index for each sort. It ends with the other families, so that a filter by them need not read the row. */
export function createIndexes(
  db: Database.Database,
  { families, sorts }: TableShape,
  leading: readonly IndexedBy[],
  onIndexed: () => void = () => undefined,
): void {
  const { schema }: Tables = compiler();
  for (const indexedBy of leading) {
    const { family, label } = indexedBy;
    const others = families.filter((other) => other !== family).map(({ name }) => name);
    for (const sort of sorts) {
      const columns = [...(label === undefined ? [] : [label]), family.name, sort, 'id', ...others];
      const create = schema.createIndex(indexName(indexedBy, sort)).on('rows').columns(columns);
      db.exec((label === undefined ? create : create.where(label, 'is not', null)).compile().sql);
      onIndexed();
    }
  }
}

/** Each index holds only the rows that wait, so it is as small as the work that is left. */
export function createQueueIndexes(db: Database.Database, { families, queues = [] }: TableShape): void {
  const { schema }: Tables = compiler();
  for (const queue of queues) {
    const create = schema
      .createIndex(`rows_by_${queue}`)
      .on('rows')
      .columns([families[0].name, queue, 'id'])
      .where(queue, 'is not', null);
    db.exec(create.compile().sql);
  }
}

export function dropIndexes(
  db: Database.Database,
  { sorts }: TableShape,
  dropped: readonly IndexedBy[],
): void {
  const { schema }: Tables = compiler();
  for (const indexedBy of dropped) {
    for (const sort of sorts) db.exec(schema.dropIndex(indexName(indexedBy, sort)).compile().sql);
  }
}

function indexName({ family, label }: IndexedBy, sort: string): string {
  return `rows_by_${label ?? family.name}_${sort}`;
}

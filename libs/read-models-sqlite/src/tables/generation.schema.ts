import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { progressSchema } from './progress.table.js';
import { compiler, NUMBERED_KEY, type GenerationTables } from './sqlite.dialect.js';
import { type FacetFamily, numberColumns, type TableShape } from '@tillstream/read-models';

/** The tables of a generation: its rows, the facets that occur in them, and how far history was read. */
export function createTables(db: Database.Database, shape: TableShape): void {
  const kysely: Kysely<GenerationTables> = compiler();
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
    ...families.flatMap((family) => facetTable(kysely, shape, family)),
    ...progressSchema(),
  ];
  for (const statement of statements) db.exec(statement.compile().sql);
}

function facetTable(kysely: Kysely<GenerationTables>, shape: TableShape, { name, columns }: FacetFamily) {
  let table = kysely.schema
    .createTable(name)
    .addColumn('facet', NUMBERED_KEY, (column) => column.primaryKey());
  for (const column of columns) {
    const type = shape.facetColumns.find((one) => one.name === column)?.type ?? 'text';
    table = table.addColumn(column, type, (one) => one.notNull());
  }
  return [
    table,
    kysely.schema
      .createIndex(`${name}_by_values`)
      .unique()
      .on(name)
      .columns([...columns]),
  ];
}

/** What an index of rows begins with: a family, or a label and the first family. */
export interface IndexedBy {
  readonly family: FacetFamily;
  readonly label?: string;
}

export function indexesOfAllRows({ families }: TableShape): readonly IndexedBy[] {
  return families.map((family) => ({ family }));
}

export function indexesOfLabels({ families }: TableShape, labels: readonly string[]): readonly IndexedBy[] {
  return labels.map((label) => ({ family: families[0], label }));
}

/**
 * One for each order. The other families are at its end, so that a choice of theirs is checked without a look at the row.
 */
export function createIndexes(
  db: Database.Database,
  { families, sorts }: TableShape,
  leading: readonly IndexedBy[],
  made: () => void = () => undefined,
): void {
  const kysely: Kysely<GenerationTables> = compiler();
  for (const { family, label } of leading) {
    const others = families.filter((one) => one !== family).map(({ name }) => name);
    for (const sort of sorts) {
      const columns = [...(label === undefined ? [] : [label]), family.name, sort, 'id', ...others];
      const create = kysely.schema
        .createIndex(nameOf({ family, ...(label !== undefined && { label }) }, sort))
        .on('rows')
        .columns(columns);
      db.exec((label === undefined ? create : create.where(label, 'is not', null)).compile().sql);
      made();
    }
  }
}

/** What waits, in its order: only rows that do are in it, so that it is as small as what is left to do. */
export function createQueueIndexes(db: Database.Database, { families, queues = [] }: TableShape): void {
  const kysely: Kysely<GenerationTables> = compiler();
  for (const queue of queues) {
    const create = kysely.schema
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
  const kysely: Kysely<GenerationTables> = compiler();
  for (const one of dropped) {
    for (const sort of sorts) db.exec(kysely.schema.dropIndex(nameOf(one, sort)).compile().sql);
  }
}

function nameOf({ family, label }: IndexedBy, sort: string): string {
  return `rows_by_${label ?? family.name}_${sort}`;
}

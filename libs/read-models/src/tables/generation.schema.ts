import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { compiler, NUMBERED_KEY, type GenerationTables } from './sqlite.dialect.js';
import type { TableShape } from './table.shape.js';

/** The tables of a generation: its rows, the facets that occur in them, and how far history was read. */
export function createTables(db: Database.Database, shape: TableShape): void {
  const kysely: Kysely<GenerationTables> = compiler();
  const facet = shape.facet.map(({ name }) => name);
  let facets = kysely.schema
    .createTable('facets')
    .addColumn('facet', NUMBERED_KEY, (column) => column.primaryKey());
  for (const { name, type } of shape.facet) facets = facets.addColumn(name, type, (one) => one.notNull());
  let rows = kysely.schema
    .createTable('rows')
    .addColumn('seq', NUMBERED_KEY, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('facet', 'integer', (column) => column.notNull());
  for (const sort of shape.sorts) rows = rows.addColumn(sort, 'bigint', (column) => column.notNull());
  for (const name of [...shape.labels, ...shape.content]) rows = rows.addColumn(name, 'text');
  const progress = kysely.schema
    .createTable('progress')
    .addColumn('one', 'integer', (column) => column.primaryKey())
    .addColumn('position', 'text')
    .addColumn('events', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull());
  const statements = [
    facets,
    kysely.schema.createIndex('facets_by_values').unique().on('facets').columns(facet),
    rows,
    kysely.schema.createIndex('rows_by_id').unique().on('rows').column('id'),
    progress,
    kysely.insertInto('progress').columns(['one', 'position', 'events', 'updated_at']).expression(
      kysely.selectNoFrom(({ lit }) => [
        lit(1).as('one'),
        lit(null).as('position'),
        lit(0).as('events'),
        lit(0).as('updated_at'),
      ]),
    ),
  ];
  for (const statement of statements) db.exec(statement.compile().sql);
}

/** Which rows indexes are about: `common` those of (nearly) all rows, `rare` those of a label that few rows have. */
export type IndexKind = 'common' | 'rare';

/** One for each order of the whole list, and one for each order of the rows that have a label. */
export function createIndexes(
  db: Database.Database,
  { sorts, labels, commonLabels }: TableShape,
  kind: IndexKind,
  made: (count: number, of: number) => void = () => undefined,
): void {
  const kysely: Kysely<GenerationTables> = compiler();
  const rare = labels.filter((label) => !commonLabels.includes(label));
  const leading = kind === 'rare' ? rare : [undefined, ...commonLabels];
  const all = sorts.flatMap((sort) => leading.map((label) => ({ sort, label })));
  for (const [index, { sort, label }] of all.entries()) {
    const columns = [...(label === undefined ? [] : [label]), 'facet', sort, 'id'];
    const create = kysely.schema
      .createIndex(['rows_by', ...(label === undefined ? [] : [label]), sort].join('_'))
      .on('rows')
      .columns(columns);
    db.exec((label === undefined ? create : create.where(label, 'is not', null)).compile().sql);
    made(index + 1, all.length);
  }
}

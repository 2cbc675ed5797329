import type { CreateIndexBuilder, SchemaModule } from 'kysely';
import type { FacetFamily, TableShape } from './table.shape.js';

/** An index of `rows`, besides that of its id. */
export interface RowIndex {
  readonly name: string;
  readonly columns: readonly string[];
  /** It holds only rows in which this column is not null. */
  readonly notNull?: string;
}

/** One for each family and sort. */
export function indexesOfAllRows(shape: TableShape): readonly RowIndex[] {
  return shape.families.flatMap((family) => sortIndexes(shape, family));
}

/** One for each of these labels and sort. */
export function indexesOfLabels(shape: TableShape, labels: readonly string[]): readonly RowIndex[] {
  return labels.flatMap((label) => sortIndexes(shape, shape.families[0], label));
}

/** Each holds only the rows that wait, so it is as small as the work that is left. */
export function indexesOfQueues({ families, queues = [] }: TableShape): readonly RowIndex[] {
  return queues.map((queue) => ({
    name: `rows_by_${queue}`,
    columns: [families[0].name, queue, 'id'],
    notNull: queue,
  }));
}

/** In the terms that SQLite and PostgreSQL have in common. */
export function createIndex(
  schema: SchemaModule,
  { name, columns, notNull }: RowIndex,
  table = 'rows',
): CreateIndexBuilder<string> {
  const create = schema
    .createIndex(name)
    .on(table)
    .columns([...columns]);
  return notNull === undefined ? create : create.where(notNull, 'is not', null);
}

/** Each ends with the other families, so that a filter by them need not read the row. */
function sortIndexes({ families, sorts }: TableShape, family: FacetFamily, label?: string): RowIndex[] {
  const others = families.filter((other) => other !== family).map(({ name }) => name);
  return sorts.map((sort) => ({
    name: `rows_by_${label ?? family.name}_${sort}`,
    columns: [...(label === undefined ? [] : [label]), family.name, sort, 'id', ...others],
    ...(label !== undefined && { notNull: label }),
  }));
}

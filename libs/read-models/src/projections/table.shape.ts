export type SqlValue = string | number | null;

/** A column of few values. What is absent is stored as `''` or -1: a unique index takes two nulls for different. */
export interface FacetColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
}

/** Columns of few values that together make few combinations; `merchant_id` is the first. */
export interface FacetFamily {
  /** The column of rows that holds the number of their combination. */
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * What the rows of a projection look like. Columns of few values are kept as *facets*: each combination of a family's
 * columns that occurs has a number in a small table. Every index of rows begins with one, so that a list with any choice
 * of values is a merge of a few ordered ranges (docs/adr/0017).
 */
export interface TableShape {
  /** Its name: in status, commands and file names. Lower-case letters and underscores. */
  readonly projection: string;
  /** Raise it when equal events would give other rows than before: rows are then made anew while the old ones answer. */
  readonly rowsVersion: number;
  /** Raise it when the columns or indexes change: older tables can't be read or written by this program. */
  readonly layout: number;
  /** Each is in at least one family. */
  readonly facetColumns: readonly FacetColumn[];
  /** The first has the fewest combinations: lists without a choice of facets, and those of a label, go by it. */
  readonly families: readonly [FacetFamily, ...FacetFamily[]];
  /** Integers: ms since 1970, or cents. A list can be sorted by each, and bounded. */
  readonly sorts: readonly string[];
  /** Texts of many values, or null; indexed where they are not null. The most telling first: of several it leads. */
  readonly labels: readonly string[];
  /** Texts that are only read; `body` is the first. */
  readonly content: readonly string[];
  /** Ms since 1970, or null: since when a row waits for something. Indexed behind the first family where it does. */
  readonly queues?: readonly string[];
  /** Integers or null that are only read. */
  readonly figures?: readonly string[];
}

/** The order of a row's values on their way to a table. */
export function rowColumns(shape: TableShape): readonly string[] {
  return [
    'id',
    'revision',
    ...shape.facetColumns.map(({ name }) => name),
    ...shape.sorts,
    ...shape.labels,
    ...shape.content,
    ...numberColumns(shape),
  ];
}

/** Integers that may be null: the last columns of a row. */
export function numberColumns({ queues = [], figures = [] }: TableShape): readonly string[] {
  return [...queues, ...figures];
}

/** Values in the order of `rowColumns`. */
export type FlatRow = readonly SqlValue[];

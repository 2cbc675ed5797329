export type SqlValue = string | number | null;

/**
 * Facet columns whose values make few combinations together. The first column is `merchant_id`. An absent value is stored as
 * `''` or -1: a unique index treats two nulls as different.
 */
export interface FacetFamily {
  /** The column of `rows` that holds the number of the combination. */
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * The tables of a projection. Columns of few values are *facets*: each combination of a family's columns that occurs has a
 * number in a small table. Every index of rows begins with such a number, so a list with any choice of values is a merge
 * of a few ordered ranges (docs/adr/0017).
 */
export interface TableShape {
  /** The projection's name in status, commands and file names. Lower-case letters and underscores. */
  readonly projection: string;
  /** Raise it when equal events give other rows than before: the rows are rebuilt while the old ones answer. */
  readonly rowsVersion: number;
  /** Raise it when columns or indexes change: this program can't read or write tables of another layout. */
  readonly layout: number;
  /** The first family has the fewest combinations. Lists without a choice of facets, and those by a label, use it. */
  readonly families: readonly [FacetFamily, ...FacetFamily[]];
  /** The facet columns that hold integers. The others hold texts. */
  readonly integerFacets?: readonly string[];
  /** Integers: ms since 1970, or cents. A list can be sorted and bounded by each. */
  readonly sorts: readonly string[];
  /** Texts of many values, or null; indexed if not null. The most selective first: a list with several uses its index. */
  readonly labels: readonly string[];
  /** Those labels that nearly every new row has. A database may index them late, so only the list's queries look for rows by them. */
  readonly frequentLabels?: readonly string[];
  /** Texts or null that are only read; `body` is the first. */
  readonly content: readonly string[];
  /** Ms since 1970 at which the row began to wait for work, or null. Indexed behind the first family if not null. */
  readonly queues?: readonly string[];
  /** Integers or null that are only read. */
  readonly figures?: readonly string[];
}

/** A row of a projection: a value for each column of `rowColumns`. */
export interface TableRow {
  readonly id: string;
  readonly revision: number;
  readonly [column: string]: SqlValue;
}

export function isFrequentLabel({ frequentLabels = [] }: TableShape, column: string | undefined): boolean {
  return column !== undefined && frequentLabels.includes(column);
}

export function rowColumns(shape: TableShape): readonly string[] {
  const facets = new Set(shape.families.flatMap(({ columns }) => columns));
  return ['id', 'revision', ...facets, ...storedColumns(shape)];
}

/** The columns whose values `rows` holds itself. For those of a family it holds the family's number. */
export function storedColumns(shape: TableShape): readonly string[] {
  return [...shape.sorts, ...shape.labels, ...shape.content, ...numberColumns(shape)];
}

/** Integers that may be null. */
export function numberColumns({ queues = [], figures = [] }: TableShape): readonly string[] {
  return [...queues, ...figures];
}

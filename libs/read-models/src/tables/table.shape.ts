import type { ProjectionName } from '../read-models.types.js';

export type SqlValue = string | number | null;

/** A column of a facet. What is absent is stored as `''` or -1: a unique index takes two nulls for different. */
export interface FacetColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
}

/**
 * What the rows of a projection look like. Columns of few values make up the *facet*: each combination that occurs has a
 * number in a small table. Every index of rows begins with the facet, so that a list with any choice of facet values is
 * a merge of ordered ranges (docs/adr/0017).
 */
export interface TableShape {
  readonly projection: ProjectionName;
  /** Raise it when equal events would give other rows than before: rows are then made anew while the old ones answer. */
  readonly rowsVersion: number;
  /** Raise it when the columns or indexes change: older tables can't be read or written by this program. */
  readonly layout: number;
  /** `merchant_id` is the first. */
  readonly facet: readonly FacetColumn[];
  /** Integers: ms since 1970, or cents. A list can be sorted by each, and bounded. */
  readonly sorts: readonly string[];
  /** Texts of many values, or null; indexed where they are not null. */
  readonly labels: readonly string[];
  /** Labels that nearly every row has: cheaper to index at the end of a bulk load than along with it. */
  readonly commonLabels: readonly string[];
  /** Texts that are only read; `body` is the first. */
  readonly content: readonly string[];
}

/** The order of a row's values on their way to a table. */
export function columnsOf(shape: TableShape): readonly string[] {
  return [
    'id',
    'revision',
    ...shape.facet.map(({ name }) => name),
    ...shape.sorts,
    ...shape.labels,
    ...shape.content,
  ];
}

/** Values in the order of `columnsOf`. */
export type FlatRow = readonly SqlValue[];

import type { FacetFamily, SqlValue } from '../projections/table.shape.js';

/** A list request in terms of the columns of a shape. */
export interface ListPlan {
  /** Facet columns: any of these values. `merchant_id` has one. */
  readonly facets: Readonly<Record<string, readonly SqlValue[]>>;
  /** Label columns: any of these values. The index of the first label is scanned. */
  readonly labels: readonly (readonly [column: string, values: readonly string[]])[];
  /** Only rows with these ids, at most 1000. */
  readonly ids?: readonly string[];
  /** Only rows without a value in this label; with `ids` only. */
  readonly withoutLabel?: string;
  /** Sort columns: `from` is inclusive, `below` exclusive. */
  readonly ranges: Readonly<Record<string, Range>>;
  readonly sort: string;
  readonly descending: boolean;
  readonly after?: { readonly value: number; readonly id: string };
  readonly limit: number;
}

export interface Range {
  readonly from?: number;
  readonly below?: number;
}

/** One ordered range of an index: a facet, or a facet and the value of a label. */
export interface MergedRange {
  readonly facet: number;
  readonly label?: string;
}

/** The index that a query scans, the ranges in it, and the conditions that it checks for each row. */
export interface IndexScan extends Pick<ListPlan, 'sort' | 'descending' | 'after' | 'ranges'> {
  readonly family: FacetFamily;
  readonly label?: string;
  /** Whether nearly every row has the label (`TableShape.frequentLabels`). */
  readonly isLabelFrequent?: boolean;
  readonly mergedRanges: readonly MergedRange[];
  /** Other families with a condition, with the conditions of their columns. */
  readonly otherFamilies: readonly { readonly family: FacetFamily; readonly facets: ListPlan['facets'] }[];
  readonly otherLabels: ListPlan['labels'];
}

export interface FoundRow {
  readonly id: string;
  /** The value of the sort column. */
  readonly value: number;
  readonly content: Readonly<Record<string, SqlValue>>;
}

/** A row with the columns `id` and `value`; its other columns are the content. */
export function toFoundRow({ id, value, ...content }: Readonly<Record<string, SqlValue>>): FoundRow {
  return { id: String(id), value: Number(value), content };
}

/** The same plan or scan for the first page. */
export function fromStart<T extends Pick<ListPlan, 'after'>>({
  after: _after,
  ...rest
}: T): Omit<T, 'after'> {
  return rest;
}

/** Whether `a` comes before `b` in this order. */
export function isBefore(a: FoundRow, b: FoundRow, descending: boolean): boolean {
  if (a.value !== b.value) return descending ? a.value > b.value : a.value < b.value;
  return descending ? a.id > b.id : a.id < b.id;
}

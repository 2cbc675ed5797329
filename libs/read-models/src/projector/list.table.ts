import type { Position } from '@tillstream/event-store';
import type { TableRow, TableShape } from '../projections/table.shape.js';
import type { Advance, ListProgress } from './list.progress.js';

/** An adapter may answer at once or later. */
export type Eventually<T> = T | Promise<T>;

/** Ids from `from` to `to`, both inclusive. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

/** One generation of a list, for its projector. */
export interface ListTable {
  readonly shape: TableShape;
  progress(): Eventually<ListProgress>;
  /** The revisions of those rows that exist. */
  revisions(ids: readonly string[]): Eventually<ReadonlyMap<string, number>>;
  /** For each range, the highest revision of its rows; undefined if it has none. */
  newestRevisions(ranges: readonly IdRange[]): Eventually<readonly (number | undefined)[]>;
  /**
   * Writes rows and moves the checkpoint from `from`, together. False, and writes nothing, if another process has moved it. A
   * row whose revision is not higher than that of the stored row changes nothing.
   */
  writeStep(from: Position | undefined, step: Advance, rows: readonly TableRow[]): Eventually<boolean>;
}

/** One generation of a list, for a comparison with another one. */
export interface ComparedTable extends Pick<ListTable, 'shape'> {
  /** In the order of ids, those after `afterId`. */
  page(afterId: string, limit: number): Eventually<readonly TableRow[]>;
  /** The rows with these ids that exist, at most 10,000 ids, in any order. */
  rows(ids: readonly string[]): Eventually<readonly TableRow[]>;
}

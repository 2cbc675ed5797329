import {
  rowColumns,
  type FlatRow,
  type RowsByProjection,
  type ProjectionName,
  PROJECTIONS,
  tableShape,
  type SqlValue,
} from '@tillstream/read-models';

import type { DamagedFileMove } from '../damage/damaged-file.js';

/*
 * What goes to the writer's thread and back. Rows travel as one flat list: a thread copies that faster than as many nested
 * ones, and no slower than one text.
 */

export type FlatRows = readonly SqlValue[];

export type WriterRequest =
  /** Rows, flattened. */
  { readonly kind: 'rows'; readonly rows: FlatRows } | { readonly kind: 'close' };

export type WriterReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unready'; readonly reason: string }
  /** A damaged file was. */
  | { readonly kind: 'set-aside'; readonly what: DamagedFileMove }
  /** Of the oldest `rows` not answered yet; what could not be written, one line for each projection. */
  | { readonly kind: 'written'; readonly failures: readonly string[] };

const WIDTHS: readonly number[] = PROJECTIONS.map((name) => rowColumns(tableShape(name)).length);

export function flattenRows(rows: RowsByProjection): FlatRows {
  const flat: SqlValue[] = [];
  for (const [projection, some] of rows) {
    flat.push(PROJECTIONS.indexOf(projection), some.length);
    for (const row of some) for (const value of row) flat.push(value);
  }
  return flat;
}

export function parseRows(flat: FlatRows): RowsByProjection {
  const rows = new Map<ProjectionName, FlatRow[]>();
  for (let at = 0; at < flat.length;) {
    const index = Number(flat[at]);
    const count = Number(flat[at + 1]);
    const projection = PROJECTIONS[index];
    const width = WIDTHS[index];
    if (projection === undefined || width === undefined) throw new RangeError('these are no rows');
    at += 2;
    const some: FlatRow[] = [];
    for (let row = 0; row < count; row++, at += width) some.push(flat.slice(at, at + width));
    rows.set(projection, some);
  }
  return rows;
}

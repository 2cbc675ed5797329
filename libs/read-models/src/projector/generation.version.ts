import { tableShape } from '../projections/projection.registry.js';
import type { TableShape } from '../projections/table.shape.js';
import { ReadModelUnavailable } from '../read-models.errors.js';

/** The program and the store that made a generation of a list. */
export interface GenerationOrigin extends Pick<TableShape, 'projection' | 'rowsVersion' | 'layout'> {
  /** The name of the event store. */
  readonly source: string;
}

/** Whether this program's rows fit the generation's tables. */
export function canWrite({ projection, layout, rowsVersion }: GenerationOrigin): boolean {
  const shape = tableShape(projection);
  return layout === shape.layout && rowsVersion <= shape.rowsVersion;
}

/** Whether the list has to be rebuilt: an older program made it, or another store, and no newer program. */
export function isOutdated(
  { projection, rowsVersion, layout, source }: GenerationOrigin,
  ownSource: string,
): boolean {
  const shape = tableShape(projection);
  if (rowsVersion > shape.rowsVersion || layout > shape.layout) return false;
  return rowsVersion < shape.rowsVersion || layout < shape.layout || source !== ownSource;
}

/** @throws ReadModelUnavailable if this program can't read the generation's tables */
export function assertReadable({ projection, layout: made }: GenerationOrigin): void {
  const { layout } = tableShape(projection);
  if (made === layout) return;
  throw new ReadModelUnavailable(
    projection,
    made > layout
      ? 'its tables were made by a newer program: start that one'
      : 'its tables are of an older program and are being made anew',
  );
}

import type { SqlValue } from '../projections/table.shape.js';

/** PostgreSQL refuses a text with a NUL character, so no row has one, and no row matches one. */
export function storableValues<Value extends SqlValue>(values: readonly Value[]): readonly Value[] {
  return values.filter((value) => typeof value !== 'string' || !value.includes('\u0000'));
}

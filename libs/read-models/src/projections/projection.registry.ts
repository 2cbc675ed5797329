import type { TableShape } from './table.shape.js';
import { batches } from './batches/batches.projection.js';
import { holders } from './holders/holders.projection.js';
import { merchants } from './merchants/merchants.projection.js';
import { paymentMethods } from './payment-methods/payment-methods.projection.js';
import type { Contribution, ProjectionPart, RowProjection } from './row.projection.js';
import { tokens } from './tokens/tokens.projection.js';
import { transactions } from './transactions/transactions.projection.js';

/** All projections whose rows are a function of one stream each. A new one is a folder, and a line here. */
const ROW_PROJECTIONS: readonly RowProjection[] = [
  transactions,
  tokens,
  holders,
  paymentMethods,
  merchants,
  batches,
];

const BY_NAME = new Map(ROW_PROJECTIONS.map((one) => [one.shape.projection, one]));

/** Their names, in the order in which they are projected. */
export const PROJECTIONS: readonly string[] = [...BY_NAME.keys()];

/** @throws RangeError where there is no such projection. */
export function tableShape(name: string): TableShape {
  return projectionNamed(name).shape;
}

const PARTS = new Map(
  ROW_PROJECTIONS.map(({ shape, parts }) => [
    shape.projection,
    new Map(parts.map((part) => [part.source.category, part])),
  ]),
);

/** The categories that a projection reads, each with its rows. @throws RangeError as `tableShape`. */
export function projectionParts(name: string): ReadonlyMap<string, ProjectionPart> {
  return PARTS.get(projectionNamed(name).shape.projection) ?? new Map<string, ProjectionPart>();
}

const CONTRIBUTIONS = new Map<string, [string, Contribution<unknown>][]>();
for (const { shape, parts } of ROW_PROJECTIONS) {
  for (const { source, contribution } of parts) {
    const known = CONTRIBUTIONS.get(source.category) ?? [];
    CONTRIBUTIONS.set(source.category, [...known, [shape.projection, contribution]]);
  }
}

/** All that streams of a category contribute, by projection. */
export function categoryContributions(category: string): readonly [string, Contribution<unknown>][] {
  return CONTRIBUTIONS.get(category) ?? [];
}

function projectionNamed(name: string): RowProjection {
  const found = BY_NAME.get(name);
  if (!found) throw new RangeError(`there is no projection "${name}"`);
  return found;
}

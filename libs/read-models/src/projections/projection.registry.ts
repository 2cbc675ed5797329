import type { TableShape } from './table.shape.js';
import { batches } from './batches/batches.projection.js';
import { holders } from './holders/holders.projection.js';
import { merchants } from './merchants/merchants.projection.js';
import { paymentMethods } from './payment-methods/payment-methods.projection.js';
import type { Contribution, ProjectionPart, RowProjection } from './row.projection.js';
import { tokens } from './tokens/tokens.projection.js';
import { transactions } from './transactions/transactions.projection.js';

/** All projections whose rows follow from one stream each. A new projection is a folder, and a line here. */
const ROW_PROJECTIONS: readonly RowProjection[] = [
  transactions,
  tokens,
  holders,
  paymentMethods,
  merchants,
  batches,
];

interface RegisteredProjection {
  readonly shape: TableShape;
  readonly partsByCategory: ReadonlyMap<string, ProjectionPart>;
}

const BY_NAME = new Map<string, RegisteredProjection>(
  ROW_PROJECTIONS.map(({ shape, parts }) => [
    shape.projection,
    { shape, partsByCategory: new Map(parts.map((part) => [part.source.category, part])) },
  ]),
);

/** Their names, in the order in which they are projected. */
export const PROJECTIONS: readonly string[] = [...BY_NAME.keys()];

/** @throws RangeError if the projection is unknown */
export function tableShape(name: string): TableShape {
  return projectionNamed(name).shape;
}

/** The part of each category that a projection reads. @throws RangeError if the projection is unknown */
export function projectionParts(name: string): ReadonlyMap<string, ProjectionPart> {
  return projectionNamed(name).partsByCategory;
}

/** The projections that have rows of a category's streams, each with its contribution. */
export function categoryContributions(category: string): readonly [string, Contribution<unknown>][] {
  return [...BY_NAME].flatMap(([projection, { partsByCategory }]) => {
    const part = partsByCategory.get(category);
    return part ? [[projection, part.contribution]] : [];
  });
}

function projectionNamed(name: string): RegisteredProjection {
  const found = BY_NAME.get(name);
  if (!found) throw new RangeError(`there is no projection "${name}"`);
  return found;
}

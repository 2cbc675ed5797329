import type { TableShape } from './table.shape.js';
import { batches } from './batches/batches.projection.js';
import { holders } from './holders/holders.projection.js';
import { merchants } from './merchants/merchants.projection.js';
import { paymentMethods } from './payment-methods/payment-methods.projection.js';
import type { Contribution, ProjectionPart } from './row.projection.js';
import { settlements } from './settlements/settlements.projection.js';
import { settledTransactions } from './settled-transactions/settled-transactions.projection.js';
import { feeCharges } from './fee-charges/fee-charges.projection.js';
import { tokens } from './tokens/tokens.projection.js';
import { transactions } from './transactions/transactions.projection.js';

/** All projections whose rows follow from one stream each. A new projection is a folder, and a name here. */
const ROW_PROJECTIONS = [
  transactions,
  tokens,
  holders,
  paymentMethods,
  merchants,
  batches,
  settlements,
  settledTransactions,
  feeCharges,
];

const BY_NAME = new Map(
  ROW_PROJECTIONS.map(({ shape, parts }) => [
    shape.projection,
    { shape, parts: new Map(parts.map((part) => [part.source.category, part])) },
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
  return projectionNamed(name).parts;
}

/** The categories whose streams a projection reads. @throws RangeError if the projection is unknown */
export function projectionCategories(name: string): readonly string[] {
  return [...projectionParts(name).keys()];
}

/** The projections that have rows of a category's streams, each with its contribution. */
export function categoryContributions(category: string): readonly [string, Contribution<unknown>][] {
  return [...BY_NAME].flatMap(([projection, { parts }]) => {
    const part = parts.get(category);
    return part ? [[projection, part.contribution]] : [];
  });
}

function projectionNamed(name: string) {
  const found = BY_NAME.get(name);
  if (!found) throw new RangeError(`there is no projection "${name}"`);
  return found;
}

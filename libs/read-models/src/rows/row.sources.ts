import type { ProjectionName } from '../read-models.types.js';
import { batchRows } from './batch.rows.js';
import { holderRows } from './holder.rows.js';
import { merchantRows } from './merchant.rows.js';
import { paymentRows } from './payment.rows.js';
import type { Contribution, RowSource } from './row.source.js';
import { tokenRows } from './token.rows.js';

/** Sources of different states side by side: each is given only what it made itself. */
export type AnySource = RowSource<unknown>;

const SOURCES = [
  paymentRows,
  tokenRows,
  holderRows,
  merchantRows,
  batchRows,
] as unknown as readonly AnySource[];

/** One category's part in a projection. */
export interface Part {
  readonly source: AnySource;
  readonly contribution: Contribution<unknown>;
}

/** The categories that a projection reads, each with its rows. */
export function partsOf(projection: ProjectionName): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  for (const source of SOURCES) {
    const contribution = source.contributions[projection];
    if (contribution) parts.set(source.category, { source, contribution });
  }
  return parts;
}

const CONTRIBUTIONS = new Map(
  SOURCES.map(({ category, contributions }) => [
    category,
    Object.entries(contributions) as [ProjectionName, Contribution<unknown>][],
  ]),
);

/** All that a category contributes, by projection. */
export function contributionsOf(category: string): readonly [ProjectionName, Contribution<unknown>][] {
  return CONTRIBUTIONS.get(category) ?? [];
}

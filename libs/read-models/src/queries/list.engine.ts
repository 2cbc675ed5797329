import { sql, type SqlBool } from 'kysely';
import type { SqlValue, TableShape } from '../projections/table.shape.js';
import { type List, TOTAL_COUNT_MAX } from '../read-models.types.js';
import type { LiveGeneration, MergedRanges, Tables } from './live.generation.js';
import {
  fromStart,
  isBefore,
  toFoundRow,
  type FoundRow,
  type ListPlan,
  type IndexScan,
} from './list.plan.js';
import { chooseIndexScan, indexScansByFamily } from './index-scan.choice.js';

/** If one condition matches at most this many rows, the other conditions are checked on all of them. */
const NARROW_ROWS_MAX = 2_000;
const IDS_PER_STATEMENT_MAX = 500;

export interface ListQuery {
  readonly shape: TableShape;
  readonly ranges: MergedRanges;
  /** The rows of all plans; no row is in two of them. All plans have the same sort, direction, `after` and limit. */
  readonly plans: readonly ListPlan[];
  readonly includeTotal: boolean;
  /** Default: 2000. */
  readonly narrowRowsMax?: number;
}

export async function listRows(generation: LiveGeneration, query: ListQuery): Promise<List<FoundRow>> {
  const { plans, includeTotal } = query;
  const { limit = 0, descending = true } = plans[0] ?? {};
  const found: FoundRow[] = [];
  let total = 0;
  for (const plan of plans) {
    const { first, count } = await runPlan(generation, query, plan);
    found.push(...first);
    if (includeTotal) total += await count();
  }
  const items = firstSorted(found, descending, limit);
  const last = items.at(-1);
  return {
    items,
    next: found.length > limit && last ? { value: last.value, id: last.id } : null,
    ...(includeTotal && {
      total: { count: Math.min(total, TOTAL_COUNT_MAX), isAtLeast: total > TOTAL_COUNT_MAX },
    }),
  };
}

interface PlanRows {
  /** Up to one row more than the limit. */
  readonly first: readonly FoundRow[];
  /** Counts up to one more than `TOTAL_COUNT_MAX`. */
  readonly count: () => Promise<number>;
}

async function runPlan(generation: LiveGeneration, query: ListQuery, plan: ListPlan): Promise<PlanRows> {
  const { shape, ranges } = query;
  if (plan.ids) {
    const found = await rowsByIds(generation, shape, plan, plan.ids);
    return { first: firstOfPage(found, plan), count: async () => found.length };
  }
  const scan = await chooseIndexScan(generation, shape, plan);
  const narrow = await findNarrowRows(generation, query, plan, scan);
  if (narrow) {
    const ids = firstOfPage(narrow, plan).map(({ id }) => id);
    const found = await rowsByIds(generation, shape, fromStart(plan), ids);
    return { first: firstOfPage(found, fromStart(plan)), count: async () => narrow.length };
  }
  return {
    first: await ranges.rows(generation, scan, shape.content, plan.limit + 1),
    count: () => ranges.count(generation, scan, TOTAL_COUNT_MAX + 1),
  };
}

/**
 * All rows of a plan (id and sort value only) if one of several conditions matches few rows. Undefined if all conditions
 * match many rows: then some rows that match all of them come soon in the order of the list.
 */
async function findNarrowRows(
  generation: LiveGeneration,
  { shape, ranges: merged, narrowRowsMax = NARROW_ROWS_MAX }: ListQuery,
  plan: ListPlan,
  scan: IndexScan,
): Promise<readonly FoundRow[] | undefined> {
  const rangesOfOtherSorts = Object.entries(plan.ranges).filter(([column]) => column !== plan.sort);
  if (scan.otherFamilies.length + scan.otherLabels.length + rangesOfOtherSorts.length === 0) return undefined;
  const whole = fromStart(scan);
  const byFamily = await indexScansByFamily(generation, shape, fromStart(plan));
  const candidates: readonly (readonly [candidate: IndexScan, ranges: IndexScan['ranges']])[] = [
    ...[whole, ...byFamily].map((candidate) => [candidate, {}] as const),
    ...rangesOfOtherSorts.map(([sort, range]) => [{ ...whole, sort }, { [sort]: range }] as const),
  ];
  for (const [candidate, ranges] of candidates) {
    const oneCondition = { ...candidate, ranges, otherFamilies: [], otherLabels: [] };
    if ((await merged.count(generation, oneCondition, narrowRowsMax + 1)) > narrowRowsMax) continue;
    const found = await merged.rows(generation, candidate, [plan.sort], narrowRowsMax + 1);
    return found.map(({ id, content }) => ({ id, value: Number(content[plan.sort]), content: {} }));
  }
  return undefined;
}

async function rowsByIds(
  { build, all }: LiveGeneration,
  shape: TableShape,
  plan: ListPlan,
  ids: readonly string[],
): Promise<FoundRow[]> {
  const distinct = [...new Set(ids)];
  const found: FoundRow[] = [];
  for (let from = 0; from < distinct.length; from += IDS_PER_STATEMENT_MAX) {
    const chunk = distinct.slice(from, from + IDS_PER_STATEMENT_MAX);
    const rows = await all(idsQuery(build, shape, plan, chunk));
    found.push(...(rows as readonly Record<string, SqlValue>[]).map(toFoundRow));
  }
  return found;
}

function idsQuery(
  build: Tables,
  { families, content }: TableShape,
  { facets, labels, withoutLabel, ranges, sort }: ListPlan,
  ids: readonly string[],
) {
  let query = build
    .selectFrom('rows')
    .select(['rows.id as id', `rows.${sort} as value`, ...content.map((column) => `rows.${column}` as const)])
    .where('rows.id', 'in', [...ids]);
  for (const { name, columns } of families) {
    // An expression can't use an index: the rows are to be found by their ids.
    const number = sql<SqlValue>`(${sql.ref(`rows.${name}`)} + 0)`;
    query = query.innerJoin(name, (join) => join.on(`${name}.facet`, '=', number));
    for (const column of columns) {
      const values = facets[column];
      if (values)
        query = query.where(sql<SqlBool>`${sql.ref(`${name}.${column}`)} in (${sql.join([...values])})`);
    }
  }
  for (const [column, values] of labels) query = query.where(`rows.${column}`, 'in', [...values]);
  if (withoutLabel !== undefined) query = query.where(`rows.${withoutLabel}`, 'is', null);
  for (const [column, { from, below }] of Object.entries(ranges)) {
    const bounded = sql.ref(`rows.${column}`);
    if (from !== undefined) query = query.where(sql<SqlBool>`${bounded} >= ${from}`);
    if (below !== undefined) query = query.where(sql<SqlBool>`${bounded} < ${below}`);
  }
  return query;
}

/** The rows after `after`, up to one more than the limit. */
function firstOfPage(
  found: readonly FoundRow[],
  { after, descending, limit }: ListPlan,
): readonly FoundRow[] {
  const place = after && { ...after, content: {} };
  const rest = place ? found.filter((row) => isBefore(place, row, descending)) : found;
  return firstSorted(rest, descending, limit + 1);
}

function firstSorted(found: readonly FoundRow[], descending: boolean, limit: number): readonly FoundRow[] {
  return found.toSorted((a, b) => (isBefore(a, b, descending) ? -1 : 1)).slice(0, limit);
}

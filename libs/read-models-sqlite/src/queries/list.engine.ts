import { sql, type Kysely, type SqlBool } from 'kysely';
import { type List, TOTAL_COUNT_MAX, type SqlValue, type TableShape } from '@tillstream/read-models';
import type { GenerationTables } from '../tables/sqlite.dialect.js';
import { countInMergedRanges, rowsInMergedRanges } from './merged-ranges.query.js';
import { isBefore, type FoundRow, type ListPlan, type IndexScan } from './list.plan.js';
import { chooseIndexScan, indexScansByFamily } from './index-scan.choice.js';

type Tables = Kysely<GenerationTables>;

/** So many rows are looked at one by one rather than searched for in the order of the list. */
const NARROW_ROWS_MAX = 2_000;
const IDS_PER_STATEMENT_MAX = 500;

export interface ListQuery {
  readonly shape: TableShape;
  /** Rows of any of these plans; no row is in two of them. All have the same order, place and limit. */
  readonly plans: readonly ListPlan[];
  readonly includeTotal: boolean;
  /** Left out: 2000. */
  readonly narrowRowsMax?: number;
}

/** A page of the rows that the plans describe. */
export async function listRows(tables: Tables, listing: ListQuery): Promise<List<FoundRow>> {
  const { plans, includeTotal } = listing;
  const { limit = 0, descending = true } = plans[0] ?? {};
  const parts: FoundRow[] = [];
  let total = 0;
  for (const plan of plans) {
    const part = await runPlan(tables, listing, plan);
    parts.push(...part.first);
    if (includeTotal) total += await part.count();
  }
  const { items, more } = firstSorted(parts, descending, limit);
  const last = items.at(-1);
  return {
    items,
    next: more && last ? { value: last.value, id: last.id } : null,
    ...(includeTotal && {
      total: { count: Math.min(total, TOTAL_COUNT_MAX), isAtLeast: total > TOTAL_COUNT_MAX },
    }),
  };
}

interface PlanRows {
  /** One more than the limit, where there are as many. */
  readonly first: readonly FoundRow[];
  /** Up to one more than `TOTAL_COUNT_MAX`. */
  count(): Promise<number>;
}

async function runPlan(tables: Tables, listing: ListQuery, plan: ListPlan): Promise<PlanRows> {
  const { shape } = listing;
  if (plan.ids) {
    const found = await rowsByIds(tables, shape, plan, plan.ids);
    return { first: firstOf(found, plan), count: async () => found.length };
  }
  const way = await chooseIndexScan(tables, shape, plan);
  const narrow = await narrowRows(tables, listing, plan, way);
  if (narrow) {
    const page = firstOf(narrow, plan).map(({ id }) => id);
    const { after: _after, ...here } = plan;
    const found = await rowsByIds(tables, shape, here, page);
    return { first: firstOf(found, here), count: async () => narrow.length };
  }
  return {
    first: await rowsInMergedRanges(tables, way, shape.content, plan.limit + 1),
    count: () => countInMergedRanges(tables, way, TOTAL_COUNT_MAX + 1),
  };
}

/**
 * All rows of a plan, by id and place, where one thing that it asks for is met by few rows. Otherwise what else it asks
 * for is checked row by row in the order of the list: with two things that many rows meet, some come soon.
 */
async function narrowRows(
  tables: Tables,
  { shape, narrowRowsMax = NARROW_ROWS_MAX }: ListQuery,
  plan: ListPlan,
  way: IndexScan,
): Promise<readonly FoundRow[] | undefined> {
  const { after: _after, ...whole } = way;
  const offOrder = Object.entries(plan.ranges).filter(([column]) => column !== plan.sort);
  const rest = whole.otherFamilies.length + whole.otherLabels.length + offOrder.length;
  if (rest === 0) return undefined;
  const along = offOrder.map(([column, range]) => ({
    way: { ...whole, sort: column },
    ranges: { [column]: range },
  }));
  const byFamily = (await indexScansByFamily(tables, shape, plan)).map(({ after: _place, ...one }) => one);
  const ways = [whole, ...byFamily].map((one) => ({ way: one, ranges: {} }));
  for (const { way: candidate, ranges } of [...ways, ...along]) {
    const alone = { ...candidate, ranges, otherFamilies: [], otherLabels: [] };
    if ((await countInMergedRanges(tables, alone, narrowRowsMax + 1)) > narrowRowsMax) continue;
    const found = await rowsInMergedRanges(tables, candidate, [plan.sort], narrowRowsMax + 1);
    return found.map(({ id, content }) => ({ id, value: Number(content[plan.sort]), content: {} }));
  }
  return undefined;
}

async function rowsByIds(
  tables: Tables,
  shape: TableShape,
  plan: ListPlan,
  ids: readonly string[],
): Promise<FoundRow[]> {
  const different = [...new Set(ids)];
  const found: FoundRow[] = [];
  for (let from = 0; from < different.length; from += IDS_PER_STATEMENT_MAX) {
    const rows = await idsQuery(
      tables,
      shape,
      plan,
      different.slice(from, from + IDS_PER_STATEMENT_MAX),
    ).execute();
    for (const { id, value, ...rest } of rows as Record<string, SqlValue>[]) {
      found.push({ id: String(id), value: Number(value), content: rest });
    }
  }
  return found;
}

function idsQuery(
  tables: Tables,
  { families, content }: TableShape,
  { facets, labels, withoutLabel, ranges, sort }: ListPlan,
  ids: readonly string[],
) {
  let query = tables
    .selectFrom('rows')
    .select(['rows.id as id', `rows.${sort} as value`, ...content.map((column) => `rows.${column}` as const)])
    .where('rows.id', 'in', [...ids]);
  for (const { name, columns } of families) {
    query = query.innerJoin(name, `${name}.facet`, `rows.${name}`);
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

/** What comes after the page before, and one more than the limit of it. */
function firstOf(found: readonly FoundRow[], { after, descending, limit }: ListPlan): readonly FoundRow[] {
  const place = after && { ...after, content: {} };
  const behind = place ? found.filter((one) => isBefore(place, one, descending)) : found;
  return firstSorted(behind, descending, limit + 1).items;
}

function firstSorted(
  found: readonly FoundRow[],
  descending: boolean,
  limit: number,
): { readonly items: readonly FoundRow[]; readonly more: boolean } {
  const sorted = found.toSorted((a, b) => (isBefore(a, b, descending) ? -1 : 1));
  return { items: sorted.slice(0, limit), more: sorted.length > limit };
}

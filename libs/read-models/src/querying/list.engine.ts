import { sql, type Kysely, type SqlBool } from 'kysely';
import { MOST_COUNTED, type List } from '../read-models.types.js';
import type { GenerationTables } from '../tables/sqlite.dialect.js';
import type { SqlValue } from '../tables/table.shape.js';
import { countInArms, rowsInArms } from './arms.query.js';
import { isBefore, type Arm, type Found, type ListPlan } from './list.plan.js';

type Tables = Kysely<GenerationTables>;

/** So many rows within bounds of another column than the order's are sorted rather than searched for. */
const NARROW = 2_000;

export interface Listing {
  /** Rows of any of these plans; no row is in two of them. All have the same order, place and limit. */
  readonly plans: readonly ListPlan[];
  readonly content: readonly string[];
  readonly includeTotal: boolean;
}

/** A page of the rows that the plans describe. */
export async function listRows(
  tables: Tables,
  { plans, content, includeTotal }: Listing,
): Promise<List<Found>> {
  const { limit = 0, descending = true } = plans[0] ?? {};
  const parts: Found[] = [];
  let total = 0;
  for (const plan of plans) {
    const part = await partOf(tables, plan, content);
    parts.push(...part.first);
    if (includeTotal) total += await part.count();
  }
  const { items, more } = cut(parts, descending, limit);
  const last = items.at(-1);
  return {
    items,
    next: more && last ? { value: last.value, id: last.id } : null,
    ...(includeTotal && {
      total: { count: Math.min(total, MOST_COUNTED), isAtLeast: total > MOST_COUNTED },
    }),
  };
}

interface Part {
  /** One more than the limit, where there are as many. */
  readonly first: readonly Found[];
  /** Up to one more than `MOST_COUNTED`. */
  count(): Promise<number>;
}

async function partOf(tables: Tables, plan: ListPlan, content: readonly string[]): Promise<Part> {
  if (plan.ids) return partByIds(tables, plan, plan.ids, content);
  const arms = await armsOf(tables, plan);
  const count = (): Promise<number> => countInArms(tables, plan, arms, MOST_COUNTED + 1);
  const narrow = await narrowIds(tables, plan, arms);
  if (narrow) return { first: (await partByIds(tables, plan, narrow, content)).first, count };
  return { first: await rowsInArms(tables, plan, arms, content, plan.limit + 1), count };
}

/** The facets that fit; with a label those of them in which its value occurs. One look at an index each. */
async function armsOf(tables: Tables, { facets, labels }: ListPlan): Promise<Arm[]> {
  let query = tables.selectFrom('facets').select('facets.facet');
  for (const [column, values] of Object.entries(facets)) query = query.where(column, 'in', [...values]);
  const [leading] = labels;
  if (!leading) {
    return (await query.execute()).map(({ facet }) => ({ facet: Number(facet) }));
  }
  const [column, values] = leading;
  const arms: Arm[] = [];
  for (const label of values) {
    const there = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('rows')
          .select('rows.seq')
          .where(`rows.${column}`, '=', label)
          .whereRef('rows.facet', '=', 'facets.facet'),
      ),
    );
    for (const { facet } of await there.execute()) arms.push({ facet: Number(facet), label });
  }
  return arms;
}

/**
 * Bounds of another column than the order's can't be met by walking the order's index: what fits may lie anywhere. Few
 * rows within them are all looked at instead; of many, some come soon.
 */
async function narrowIds(tables: Tables, plan: ListPlan, arms: readonly Arm[]): Promise<string[] | undefined> {
  const { after: _after, ...whole } = plan;
  for (const [column, range] of Object.entries(plan.ranges)) {
    if (column === plan.sort) continue;
    const along = { ...whole, sort: column };
    const count = await countInArms(tables, { ...along, ranges: { [column]: range } }, arms, NARROW + 1);
    if (count > NARROW) continue;
    const found = await rowsInArms(tables, along, arms, [plan.sort], NARROW + 1);
    const inOrder = found.map(({ id, content }) => ({ id, value: Number(content[plan.sort]), content: {} }));
    const { items } = cut(behind(inOrder, plan), plan.descending, plan.limit + 1);
    return items.map(({ id }) => id);
  }
  return undefined;
}

async function partByIds(
  tables: Tables,
  plan: ListPlan,
  ids: readonly string[],
  content: readonly string[],
): Promise<Part> {
  const found = ids.length === 0 ? [] : await rowsByIds(tables, plan, ids, content);
  const { items } = cut(behind(found, plan), plan.descending, plan.limit + 1);
  return { first: items, count: async () => found.length };
}

async function rowsByIds(
  tables: Tables,
  { facets, labels, withoutLabel, ranges, sort }: ListPlan,
  ids: readonly string[],
  content: readonly string[],
): Promise<Found[]> {
  let query = tables
    .selectFrom('rows')
    .innerJoin('facets', 'facets.facet', 'rows.facet')
    .select(['rows.id as id', `rows.${sort} as value`, ...content.map((column) => `rows.${column}` as const)])
    .where('rows.id', 'in', [...new Set(ids)]);
  for (const [column, values] of Object.entries(facets)) {
    query = query.where(`facets.${column}`, 'in', [...values]);
  }
  for (const [column, values] of labels) query = query.where(`rows.${column}`, 'in', [...values]);
  if (withoutLabel !== undefined) query = query.where(`rows.${withoutLabel}`, 'is', null);
  for (const [column, { from, below }] of Object.entries(ranges)) {
    if (from !== undefined) query = query.where(sql<SqlBool>`${sql.ref(`rows.${column}`)} >= ${from}`);
    if (below !== undefined) query = query.where(sql<SqlBool>`${sql.ref(`rows.${column}`)} < ${below}`);
  }
  const rows = (await query.execute()) as Record<string, SqlValue>[];
  return rows.map(({ id, value, ...rest }) => ({ id: String(id), value: Number(value), content: rest }));
}

/** What comes after the page before. */
function behind(found: readonly Found[], { after, descending }: ListPlan): readonly Found[] {
  if (!after) return found;
  const place = { ...after, content: {} };
  return found.filter((one) => isBefore(place, one, descending));
}

function cut(
  found: readonly Found[],
  descending: boolean,
  limit: number,
): { readonly items: readonly Found[]; readonly more: boolean } {
  const sorted = found.toSorted((a, b) => (isBefore(a, b, descending) ? -1 : 1));
  return { items: sorted.slice(0, limit), more: sorted.length > limit };
}

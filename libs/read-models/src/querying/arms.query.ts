import { CompiledQuery, sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { GenerationTables } from '../tables/sqlite.dialect.js';
import type { SqlValue } from '../tables/table.shape.js';
import type { Arm, Found, ListPlan } from './list.plan.js';

/**
 * Arms in one statement. SQLite takes 500 at most; and it plans a statement of 64 in about a millisecond, once for each
 * number of them.
 */
const MOST_ARMS = 256;
const MOST_TEXTS = 300;

/** A facet that no row has fills the last places of a statement. */
const NO_FACET = -1;

/**
 * The first rows of the plan's order in these arms. Each arm is an ordered range of one index; the database merges them
 * as it goes, so the cost is that of finding their beginnings and of the rows that are given back, however many lie
 * behind. At most `limit` rows.
 */
export async function rowsInArms(
  tables: Kysely<GenerationTables>,
  plan: ListPlan,
  arms: readonly Arm[],
  content: readonly string[],
  limit: number,
): Promise<Found[]> {
  const found: Found[][] = [];
  for (let from = 0; from < arms.length; from += MOST_ARMS) {
    const some = arms.slice(from, from + MOST_ARMS);
    const padded = powerOfTwo(some.length);
    const text = textOf(tables, plan, padded, content, limit);
    const parameters = parametersOf(plan, some, padded);
    const { rows } = await tables.executeQuery<Record<string, SqlValue>>(CompiledQuery.raw(text, parameters));
    found.push(
      rows.map(({ id, value, ...rest }) => ({ id: String(id), value: Number(value), content: rest })),
    );
  }
  return found.flat();
}

/** How many rows the arms have, counted up to `most`. */
export async function countInArms(
  tables: Kysely<GenerationTables>,
  plan: ListPlan,
  arms: readonly Arm[],
  most: number,
): Promise<number> {
  let count = 0;
  const { after: _after, ...whole } = plan;
  for (let from = 0; from < arms.length && count < most; from += MOST_ARMS) {
    const some = arms.slice(from, from + MOST_ARMS);
    const padded = powerOfTwo(some.length);
    const text = countTextOf(tables, whole, padded, most);
    const parameters = parametersOf(whole, some, padded);
    const { rows } = await tables.executeQuery<{ count: number }>(CompiledQuery.raw(text, parameters));
    count += Number(rows[0]?.count ?? 0);
  }
  return Math.min(count, most);
}

/** Statements are kept by their text; few different numbers of arms make few texts. */
function powerOfTwo(arms: number): number {
  let padded = 1;
  while (padded < arms) padded *= 2;
  return padded;
}

const texts = new Map<string, string>();

/** Building a text costs more than running it. */
function remembered(key: string, make: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  if (texts.size >= MOST_TEXTS) texts.clear();
  const made = make();
  texts.set(key, made);
  return made;
}

function textOf(
  tables: Kysely<GenerationTables>,
  plan: ListPlan,
  arms: number,
  content: readonly string[],
  limit: number,
): string {
  return remembered(`rows ${arms} ${limit} ${content.join()} ${shapeOf(plan)}`, () => {
    const direction = plan.descending ? 'desc' : 'asc';
    const merged = merge(tables, plan, arms)
      .orderBy('value', direction)
      .orderBy('id', direction)
      .limit(sql.lit(limit));
    return tables
      .selectFrom(merged.as('page'))
      .innerJoin('rows', 'rows.seq', 'page.seq')
      .select(['page.id', 'page.value', ...content.map((column) => `rows.${column}` as const)])
      .orderBy('page.value', direction)
      .orderBy('page.id', direction)
      .compile().sql;
  });
}

function countTextOf(tables: Kysely<GenerationTables>, plan: ListPlan, arms: number, most: number): string {
  return remembered(`count ${arms} ${most} ${shapeOf(plan)}`, () => {
    const some = merge(tables, plan, arms).limit(sql.lit(most));
    return tables
      .selectFrom(some.as('page'))
      .select(({ fn }) => fn.countAll().as('count'))
      .compile().sql;
  });
}

/** All of a plan that its text depends on. */
function shapeOf({ sort, descending, after, ranges, labels }: ListPlan): string {
  const bounds = Object.entries(ranges).map(([column, { from, below }]) => [
    column,
    from !== undefined,
    below !== undefined,
  ]);
  const others = labels.slice(1).map(([column, values]) => [column, values.length]);
  return JSON.stringify([sort, descending, after !== undefined, bounds, labels[0]?.[0], others]);
}

function merge(tables: Kysely<GenerationTables>, plan: ListPlan, arms: number) {
  const [first, ...rest] = Array.from({ length: arms }, () => armOf(tables, plan));
  if (!first) throw new RangeError('a list has at least one arm');
  return rest.reduce((merged, arm) => merged.unionAll(arm), first);
}

/** The parameters of an arm are bound in this order: see `parametersOf`. */
function armOf(tables: Kysely<GenerationTables>, { sort, descending, after, ranges, labels }: ListPlan) {
  let arm = tables
    .selectFrom('rows')
    .select(['seq', 'id', `${sort} as value`])
    .where('facet', '=', 0);
  const [leading, ...others] = labels;
  if (leading) arm = arm.where(leading[0], '=', '');
  if (after) {
    arm = arm.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(sort, 'id'), descending ? '<' : '>', tuple(sql.val(0), sql.val(''))),
    );
  }
  for (const [column, { from, below }] of Object.entries(ranges)) {
    // Only the order's own column may choose the index: with another one all of a range would be sorted.
    const bounded = column === sort ? sql.ref(column) : sql`(${sql.ref(column)} + 0)`;
    if (from !== undefined) arm = arm.where(isAtLeast(bounded));
    if (below !== undefined) arm = arm.where(isBelow(bounded));
  }
  for (const [column, values] of others) {
    arm = arm.where(sql<SqlBool>`(${sql.ref(column)} || '') in (${sql.join(values.map((value) => sql.val(value)))})`);
  }
  return arm;
}

const isAtLeast = (bounded: Expression<unknown>) => sql<SqlBool>`${bounded} >= ${sql.val(0)}`;
const isBelow = (bounded: Expression<unknown>) => sql<SqlBool>`${bounded} < ${sql.val(0)}`;

function parametersOf({ after, ranges, labels }: ListPlan, arms: readonly Arm[], padded: number): SqlValue[] {
  const [leading, ...others] = labels;
  const shared: SqlValue[] = after ? [after.value, after.id] : [];
  for (const { from, below } of Object.values(ranges)) {
    if (from !== undefined) shared.push(from);
    if (below !== undefined) shared.push(below);
  }
  for (const [, values] of others) shared.push(...values);
  const parameters: SqlValue[] = [];
  for (let index = 0; index < padded; index++) {
    const arm = arms[index];
    parameters.push(arm?.facet ?? NO_FACET);
    if (leading) parameters.push(arm?.label ?? '');
    parameters.push(...shared);
  }
  return parameters;
}

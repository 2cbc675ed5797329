import { CompiledQuery, sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { GenerationTables } from '../tables/sqlite.dialect.js';
import type { SqlValue } from '@tillstream/read-models';
import type { MergedRange, FoundRow, IndexScan } from './list.plan.js';

type Tables = Kysely<GenerationTables>;

/** Arms in one statement; SQLite takes 500 at most. */
const RANGES_PER_STATEMENT_MAX = 256;
const CACHED_TEXTS_MAX = 500;
/** No row has it: fills the last places of a statement. */
const NO_FACET = -1;

/**
 * The first rows of the way's order. Each arm is an ordered range of one index, and the database merges them as it goes:
 * the cost is that of finding their beginnings and of the rows that are given back, however many lie behind. At most
 * `limit` rows of each 256 arms, not sorted where there are more.
 */
export async function rowsInMergedRanges(
  tables: Tables,
  way: IndexScan,
  content: readonly string[],
  limit: number,
): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  for (const { arms, places } of chunksOf(way)) {
    const text = cachedText(`rows ${limit} ${content.join()} ${places} ${textKey(way)}`, () =>
      rowsText(tables, way, places, content, limit),
    );
    const query = CompiledQuery.raw(text, parametersOf(way, arms, places));
    const { rows } = await tables.executeQuery<Record<string, SqlValue>>(query);
    for (const { id, value, ...rest } of rows) {
      found.push({ id: String(id), value: Number(value), content: rest });
    }
  }
  return found;
}

/** How many rows the arms have, counted up to `most`. */
export async function countInMergedRanges(tables: Tables, way: IndexScan, most: number): Promise<number> {
  const { after: _after, ...whole } = way;
  let count = 0;
  for (const { arms, places } of chunksOf(whole)) {
    const text = cachedText(`count ${most} ${places} ${textKey(whole)}`, () =>
      countText(tables, whole, places, most),
    );
    const query = CompiledQuery.raw(text, parametersOf(whole, arms, places));
    const { rows } = await tables.executeQuery<{ count: number }>(query);
    count += Number(rows[0]?.count ?? 0);
    if (count >= most) return most;
  }
  return count;
}

/** Few different numbers of places make few texts, which are planned once. */
function chunksOf({
  mergedRanges,
}: IndexScan): { readonly arms: readonly MergedRange[]; readonly places: number }[] {
  const chunks = [];
  for (let from = 0; from < mergedRanges.length; from += RANGES_PER_STATEMENT_MAX) {
    const some = mergedRanges.slice(from, from + RANGES_PER_STATEMENT_MAX);
    let places = 1;
    while (places < some.length) places *= 2;
    chunks.push({ arms: some, places });
  }
  return chunks;
}

const texts = new Map<string, string>();

/** Building a text costs more than running it. */
function cachedText(key: string, make: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  if (texts.size >= CACHED_TEXTS_MAX) texts.clear();
  const made = make();
  texts.set(key, made);
  return made;
}

/** All of a way that its text depends on. */
function textKey({
  family,
  label,
  sort,
  descending,
  after,
  ranges,
  otherFamilies,
  otherLabels,
}: IndexScan): string {
  const bounds = Object.entries(ranges).map(([column, { from, below }]) => [
    column,
    from !== undefined,
    below !== undefined,
  ]);
  const families = otherFamilies.map((other) => [
    other.family.name,
    ...Object.entries(other.facets).map(([column, values]) => [column, values.length]),
  ]);
  const labels = otherLabels.map(([column, values]) => [column, values.length]);
  return JSON.stringify([
    family.name,
    label,
    sort,
    descending,
    after !== undefined,
    bounds,
    families,
    labels,
  ]);
}

function rowsText(
  tables: Tables,
  way: IndexScan,
  places: number,
  content: readonly string[],
  limit: number,
): string {
  const direction = way.descending ? 'desc' : 'asc';
  const merged = merge(tables, way, places)
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
}

function countText(tables: Tables, way: IndexScan, places: number, most: number): string {
  const some = merge(tables, way, places).limit(sql.lit(most));
  return tables
    .selectFrom(some.as('page'))
    .select(({ fn }) => fn.countAll().as('count'))
    .compile().sql;
}

function merge(tables: Tables, way: IndexScan, places: number) {
  const arms = Array.from({ length: places }, () => rangeQuery(tables, way));
  const [first, ...rest] = arms;
  if (!first) throw new RangeError('a way has at least one arm');
  return rest.reduce((merged, arm) => merged.unionAll(arm), first);
}

/** The parameters of an arm are bound in the order in which they are written here: see `parametersOf`. */
function rangeQuery(tables: Tables, way: IndexScan) {
  const { family, label, sort, descending, after, ranges, otherFamilies, otherLabels } = way;
  let arm = tables
    .selectFrom('rows')
    .select(['seq', 'id', `${sort} as value`])
    .where(family.name, '=', 0);
  if (label !== undefined) arm = arm.where(label, '=', '');
  if (after) {
    arm = arm.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(sort, 'id'), descending ? '<' : '>', tuple(sql.val(0), sql.val(''))),
    );
  }
  for (const [column, { from, below }] of Object.entries(ranges)) {
    // Only the order's own column may choose the index: by another one, all of a range would be sorted.
    const bounded = column === sort ? sql.ref(column) : sql`(${sql.ref(column)} + 0)`;
    if (from !== undefined) arm = arm.where(compared(bounded, '>='));
    if (below !== undefined) arm = arm.where(compared(bounded, '<'));
  }
  for (const { family: other, facets } of otherFamilies) {
    let chosen = tables.selectFrom(`${other.name} as other`).select('other.facet');
    for (const [column, values] of Object.entries(facets)) {
      chosen = chosen.where(`other.${column}`, 'in', [...values]);
    }
    arm = arm.where(sql<SqlBool>`(${sql.ref(`rows.${other.name}`)} + 0) in ${chosen}`);
  }
  for (const [column, values] of otherLabels) {
    const anyOf = sql.join(values.map((value) => sql.val(value)));
    arm = arm.where(sql<SqlBool>`(${sql.ref(column)} || '') in (${anyOf})`);
  }
  return arm;
}

function compared(bounded: Expression<unknown>, operator: '>=' | '<') {
  return sql<SqlBool>`${bounded} ${sql.raw(operator)} ${sql.val(0)}`;
}

function parametersOf(way: IndexScan, arms: readonly MergedRange[], places: number): SqlValue[] {
  const { label, after, ranges, otherFamilies, otherLabels } = way;
  const shared: SqlValue[] = after ? [after.value, after.id] : [];
  for (const { from, below } of Object.values(ranges)) {
    if (from !== undefined) shared.push(from);
    if (below !== undefined) shared.push(below);
  }
  for (const { facets } of otherFamilies) for (const values of Object.values(facets)) shared.push(...values);
  for (const [, values] of otherLabels) shared.push(...values);
  const parameters: SqlValue[] = [];
  for (let place = 0; place < places; place++) {
    const arm = arms[place];
    parameters.push(arm?.facet ?? NO_FACET);
    if (label !== undefined) parameters.push(arm?.label ?? '');
    parameters.push(...shared);
  }
  return parameters;
}

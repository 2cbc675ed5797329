import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  fromStart,
  toFoundRow,
  type FoundRow,
  type IndexScan,
  type LiveGeneration,
  type ListPlan,
  type MergedRanges,
  type SqlValue,
  type Tables,
} from '@tillstream/read-models';

/**
 * One statement reads up to `limit` rows of each range, in the order of its index, and merges them. So a page costs at most
 * `limit` entries of the index for each range, however long the ranges are.
 *
 * PostgreSQL chooses its plan by estimates, and an estimate from the average merchant can be wrong by a factor of a thousand for
 * the busiest one. So the statement leaves one good plan: only one index has the order of a range, connections for such reads
 * sort nothing that an index has in order (`reads` of the driver's settings), and the other conditions are in a form that no
 * index serves (`checked`).
 */
export const postgresRanges: MergedRanges = { rows: rowsInMergedRanges, count: countInMergedRanges };

async function rowsInMergedRanges(
  { build, all }: LiveGeneration,
  scan: IndexScan,
  content: readonly string[],
  limit: number,
): Promise<readonly FoundRow[]> {
  if (scan.mergedRanges.length === 0) return [];
  const rows = await all(rowsQuery(build, scan, content, limit));
  return (rows as readonly Record<string, SqlValue>[]).map(toFoundRow);
}

async function countInMergedRanges(
  { build, all }: LiveGeneration,
  scan: IndexScan,
  countMax: number,
): Promise<number> {
  if (scan.mergedRanges.length === 0) return 0;
  const [row] = await all(countQuery(build, fromStart(scan), countMax));
  return Number(row?.count ?? 0);
}

/** The conditions are on the index alone; only the rows of the page are read whole. */
export function rowsQuery(build: Tables, scan: IndexScan, content: readonly string[], limit: number) {
  const direction = scan.descending ? 'desc' : 'asc';
  const page = mergedQuery(build, scan, rangeQuery(build, scan, limit))
    .select(['found.id as id', 'found.value as value'])
    .orderBy('found.value', direction)
    .orderBy('found.id', direction)
    .limit(sql.lit(limit));
  return build
    .selectFrom(page.as('page'))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('rows')
          .select(content.map((column) => `rows.${column}` as const))
          .whereRef('rows.id', '=', 'page.id')
          // Keeps the planner from joining with the whole table.
          .limit(sql.lit(1))
          .as('found_row'),
      (join) => join.onTrue(),
    )
    .select(['page.id as id', 'page.value as value'])
    .selectAll('found_row')
    .orderBy('page.value', direction)
    .orderBy('page.id', direction);
}

export function countQuery(build: Tables, scan: IndexScan, countMax: number) {
  const range = scan.ranges[scan.sort]
    ? rangeQuery(build, scan, countMax)
    : wholeRange(build, scan, countMax);
  const counted = mergedQuery(build, scan, range).select('found.id').limit(sql.lit(countMax));
  return build.selectFrom(counted.as('counted')).select(({ fn }) => fn.countAll().as('count'));
}

function mergedQuery(build: Tables, scan: IndexScan, range: ReturnType<typeof rangeQuery>) {
  const facets = scan.mergedRanges.map(({ facet }) => facet);
  const labels = scan.mergedRanges.map(({ label = '' }) => label);
  const ranges = sql<{
    readonly facet: number;
    readonly label: string;
  }>`unnest(${facets}::int4[], ${labels}::text[])`;
  return build
    .selectFrom(ranges.as<'merged'>(sql`merged(facet, label)`))
    .innerJoinLateral(range.as('found'), (join) => join.onTrue());
}

/** The rows of one range, in its order. */
function rangeQuery(build: Tables, scan: IndexScan, limit: number) {
  const direction = scan.descending ? 'desc' : 'asc';
  let query = wholeRange(build, scan, limit);
  for (const condition of boundsOf(scan)) query = query.where(condition);
  return query.orderBy(`rows.${scan.sort}`, direction).orderBy('rows.id', direction);
}

/** The rows of a range without bounds, in any order: every index that begins with it serves a count. */
function wholeRange(build: Tables, scan: IndexScan, limit: number) {
  const conditions = [...leadingColumns(scan), ...otherConditions(build, scan).map(checked)];
  let query = build.selectFrom('rows').select(['rows.id as id', `rows.${scan.sort} as value`]);
  for (const condition of conditions) query = query.where(condition);
  return query.limit(sql.lit(limit));
}

function leadingColumns({ family, label }: IndexScan): RawBuilder<SqlBool>[] {
  const ofFacet = sql<SqlBool>`${sql.ref(`rows.${family.name}`)} = merged.facet`;
  return label === undefined
    ? [ofFacet]
    : [sql<SqlBool>`${sql.ref(`rows.${label}`)} = merged.label`, ofFacet];
}

/**
 * Where a range begins and where it ends, behind its leading columns. At most one comparison for each: of two, PostgreSQL would
 * begin at either one, and skip the entries between them one by one. The leading columns are no part of them: PostgreSQL 15 ends
 * a scan by a comparison of rows only where its first column differs, and would read on until then.
 */
function boundsOf({ sort, descending, after, ranges }: IndexScan): RawBuilder<SqlBool>[] {
  const { from, below } = ranges[sort] ?? {};
  const column = sql.ref(`rows.${sort}`);
  const bound = (operator: '<' | '>=', value: number) =>
    sql<SqlBool>`${column} ${sql.raw(operator)} ${int8(value)}`;
  const behind = (operator: '<' | '>', { value, id }: NonNullable<IndexScan['after']>) =>
    sql<SqlBool>`(${column}, rows.id) ${sql.raw(operator)} (${int8(value)}, ${id}::text)`;
  // A cursor that lies before the range has no effect.
  const place =
    after && (descending ? after.value < (below ?? Infinity) : after.value >= (from ?? -Infinity)) && after;
  const bounds: RawBuilder<SqlBool>[] = [];
  if (place) bounds.push(behind(descending ? '<' : '>', place));
  if (from !== undefined && (descending || !place)) bounds.push(bound('>=', from));
  if (below !== undefined && (!descending || !place)) bounds.push(bound('<', below));
  return bounds;
}

/** Of other columns than those of the index's order. */
function otherConditions(
  build: Tables,
  { sort, ranges, otherFamilies, otherLabels }: IndexScan,
): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  for (const [column, { from, below }] of Object.entries(ranges)) {
    if (column === sort) continue;
    if (from !== undefined) conditions.push(sql`${sql.ref(`rows.${column}`)} >= ${int8(from)}`);
    if (below !== undefined) conditions.push(sql`${sql.ref(`rows.${column}`)} < ${int8(below)}`);
  }
  for (const { family, facets } of otherFamilies) {
    const chosen = chosenFacets(build, family.name, facets);
    conditions.push(sql`${sql.ref(`rows.${family.name}`)} = any(array(${chosen}))`);
  }
  for (const [column, values] of otherLabels) {
    conditions.push(sql`${sql.ref(`rows.${column}`)} = any(${[...values]}::text[])`);
  }
  return conditions;
}

function chosenFacets(build: Tables, family: string, facets: ListPlan['facets']) {
  let chosen = build.selectFrom(`${family} as other`).select('other.facet');
  for (const [column, values] of Object.entries(facets)) {
    chosen = chosen.where(`other.${column}`, 'in', [...values]);
  }
  return chosen;
}

/** The same condition in a form that no index serves, and that the planner takes to be true for nearly every row. */
function checked(condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`nullif(${condition}, false) is not null`;
}

function int8(value: number): RawBuilder<number> {
  return sql<number>`${value}::int8`;
}

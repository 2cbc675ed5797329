import {
  CompiledQuery,
  sql,
  type Compilable,
  type Expression,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import {
  fromStart,
  toFoundRow,
  type FoundRow,
  type GenerationTables,
  type IndexScan,
  type LiveGeneration,
  type MergedRange,
  type MergedRanges,
  type SqlValue,
  type Tables,
} from '@tillstream/read-models';
import { lastCopy, LABEL_COPIES } from '../tables/label.copies.js';

/** Ranges in one statement; SQLite allows 500. */
const RANGES_PER_STATEMENT_MAX = 256;
/** A facet that no row has: it fills the unused ranges of a statement. */
const NO_FACET = -1;

/** Texts of statements by `textKey`: building one takes longer than running it. */
const texts = new LRUCache<string, string>({ max: 500 });

/**
 * Each range is ordered in the index, and SQLite merges them lazily: the cost is that of finding the ranges and of the
 * returned rows. `rows` returns up to `limit` rows for each 256 ranges; if there are more ranges, the result is not sorted.
 */
export const sqliteRanges: MergedRanges = { rows: rowsInMergedRanges, count: countInMergedRanges };

async function rowsInMergedRanges(
  { build, all }: LiveGeneration,
  scan: IndexScan,
  content: readonly string[],
  limit: number,
): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  const key = `rows ${limit} ${content.join()}`;
  for (const chunk of chunksOf(scan)) {
    const text = cachedText(key, chunk, scan, () => rowsText(build, scan, chunk, { content, limit }));
    const rows = await all(ready<Record<string, SqlValue>>(text, parametersOf(scan, chunk)));
    for (const row of rows) found.push(toFoundRow(row));
  }
  return found;
}

async function countInMergedRanges(
  { build, all }: LiveGeneration,
  pageScan: IndexScan,
  countMax: number,
): Promise<number> {
  const scan = fromStart(pageScan);
  const key = `count ${countMax}`;
  let count = 0;
  for (const chunk of chunksOf(scan)) {
    const text = cachedText(key, chunk, scan, () => countText(build, scan, chunk, countMax));
    const [row] = await all(ready<{ readonly count: number }>(text, parametersOf(scan, chunk)));
    count += Number(row?.count ?? 0);
    if (count >= countMax) return countMax;
  }
  return count;
}

function ready<Row>(text: string, parameters: SqlValue[]): Compilable<Row> {
  return { compile: () => CompiledQuery.raw(text, parameters) as CompiledQuery<Row> };
}

/** The ranges of one statement. */
interface Chunk {
  readonly ranges: readonly MergedRange[];
  /** The number of ranges in the statement's text: a power of two, so that few different texts are planned. */
  readonly rangeCount: number;
}

function chunksOf({ mergedRanges }: IndexScan): Chunk[] {
  const chunks: Chunk[] = [];
  for (let from = 0; from < mergedRanges.length; from += RANGES_PER_STATEMENT_MAX) {
    const ranges = mergedRanges.slice(from, from + RANGES_PER_STATEMENT_MAX);
    chunks.push({ ranges, rangeCount: 2 ** Math.ceil(Math.log2(ranges.length)) });
  }
  return chunks;
}

function cachedText(kind: string, { rangeCount }: Chunk, scan: IndexScan, build: () => string): string {
  const key = `${kind} ${rangeCount} ${textKey(scan)}`;
  let text = texts.get(key);
  if (text === undefined) texts.set(key, (text = build()));
  return text;
}

/** Everything of a scan that its text depends on. */
function textKey(scan: IndexScan): string {
  const { family, label, isLabelFrequent, sort, descending, after, ranges, otherFamilies, otherLabels } =
    scan;
  const bounds = Object.entries(ranges).map(([column, range]) => [column, Object.keys(range)]);
  const families = otherFamilies.map((other) => [
    other.family.name,
    ...Object.entries(other.facets).map(([column, values]) => [column, values.length]),
  ]);
  const labels = otherLabels.map(([column, values]) => [column, values.length]);
  const hasAfter = after !== undefined;
  return JSON.stringify([
    family.name,
    label,
    isLabelFrequent,
    sort,
    descending,
    hasAfter,
    bounds,
    families,
    labels,
  ]);
}

function rowsText(
  tables: Tables,
  scan: IndexScan,
  chunk: Chunk,
  { content, limit }: { readonly content: readonly string[]; readonly limit: number },
): string {
  const direction = scan.descending ? 'desc' : 'asc';
  const merged = mergedQuery(tables, scan, chunk)
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

function countText(tables: Tables, scan: IndexScan, chunk: Chunk, countMax: number): string {
  const merged = mergedQuery(tables, scan, chunk).limit(sql.lit(countMax));
  return tables
    .selectFrom(merged.as('page'))
    .select(({ fn }) => fn.countAll().as('count'))
    .compile().sql;
}

function mergedQuery(tables: Tables, scan: IndexScan, { rangeCount }: Chunk) {
  let merged = rangeQuery(tables, scan);
  for (let ranges = 1; ranges < rangeCount; ranges++) merged = merged.unionAll(rangeQuery(tables, scan));
  return scan.isLabelFrequent ? merged.unionAll(recentRowsQuery(tables, scan, rangeCount)) : merged;
}

/** `parametersOf` binds the parameters in the order of the conditions here. */
function rangeQuery(tables: Tables, scan: IndexScan) {
  const { family, label, isLabelFrequent } = scan;
  const query = tables.selectFrom(isLabelFrequent ? LABEL_COPIES : 'rows').where(family.name, '=', 0);
  return withSharedConditions(tables, label === undefined ? query : query.where(label, '=', ''), scan);
}

/** The rows of all ranges that have no copy yet. */
function recentRowsQuery(tables: Tables, scan: IndexScan, rangeCount: number) {
  const { family, label = '' } = scan;
  // Expressions can't use an index: the rows are to be found by their numbers.
  const facetAndLabel = sql`(${sql.ref(family.name)} + 0, ${sql.ref(label)} || '')`;
  const ranges = sql.join(Array.from({ length: rangeCount }, () => sql`(${0}, ${''})`));
  const query = tables
    .selectFrom('rows')
    .where('seq', '>', lastCopy(tables))
    .where(sql<SqlBool>`${facetAndLabel} in (values ${ranges})`);
  return withSharedConditions(tables, query, scan);
}

function withSharedConditions(
  tables: Tables,
  rows: SelectQueryBuilder<GenerationTables, string, object>,
  { sort, descending, after, ranges, otherFamilies, otherLabels }: IndexScan,
) {
  let query = rows.select(['seq', 'id', `${sort} as value`]);
  if (after) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(sort, 'id'), descending ? '<' : '>', tuple(sql.val(0), sql.val(''))),
    );
  }
  for (const [column, { from, below }] of Object.entries(ranges)) {
    // An expression can't use an index: with another column's index, SQLite would have to sort a whole range.
    const bounded = column === sort ? sql.ref(column) : sql`(${sql.ref(column)} + 0)`;
    if (from !== undefined) query = query.where(compared(bounded, '>='));
    if (below !== undefined) query = query.where(compared(bounded, '<'));
  }
  for (const { family: other, facets } of otherFamilies) {
    let chosen = tables.selectFrom(`${other.name} as other`).select('other.facet');
    for (const [column, values] of Object.entries(facets)) {
      chosen = chosen.where(`other.${column}`, 'in', [...values]);
    }
    query = query.where(sql<SqlBool>`(${sql.ref(other.name)} + 0) in ${chosen}`);
  }
  for (const [column, values] of otherLabels) {
    const anyOf = sql.join(values.map((value) => sql.val(value)));
    query = query.where(sql<SqlBool>`(${sql.ref(column)} || '') in (${anyOf})`);
  }
  return query;
}

function compared(bounded: Expression<unknown>, operator: '>=' | '<') {
  return sql<SqlBool>`${bounded} ${sql.raw(operator)} ${sql.val(0)}`;
}

function parametersOf(scan: IndexScan, { ranges: merged, rangeCount }: Chunk): SqlValue[] {
  const { label, isLabelFrequent, after, ranges, otherFamilies, otherLabels } = scan;
  const shared: SqlValue[] = after ? [after.value, after.id] : [];
  for (const { from, below } of Object.values(ranges)) {
    if (from !== undefined) shared.push(from);
    if (below !== undefined) shared.push(below);
  }
  for (const { facets } of otherFamilies) for (const values of Object.values(facets)) shared.push(...values);
  for (const [, values] of otherLabels) shared.push(...values);
  const chosen = Array.from({ length: rangeCount }, (_, index): SqlValue[] => {
    const { facet, label: value = '' } = merged[index] ?? { facet: NO_FACET };
    return label === undefined ? [facet] : [facet, value];
  });
  const recent = isLabelFrequent ? [...chosen.flat(), ...shared] : [];
  return [...chosen.flatMap((range) => [...range, ...shared]), ...recent];
}

import { sql, type Compilable, type RawBuilder } from 'kysely';
import {
  numberColumns,
  rowColumns,
  storedColumns,
  type FacetFamily,
  type IdRange,
  type SqlValue,
  type TableRow,
  type TableShape,
  type Tables,
} from '@tillstream/read-models';
import type { NumberedGeneration } from '../control/generation.js';
import { tablesOf } from './generation.tables.js';

/** The statements on the rows of one generation. Rows are sent as one array for each column. */
export class RowStatements {
  readonly #build: Tables;
  readonly #families: readonly string[];

  constructor(
    generation: NumberedGeneration,
    private readonly shape: TableShape,
  ) {
    this.#build = tablesOf(generation);
    this.#families = shape.families.map(({ name }) => name);
  }

  /** Numbers the combinations of a family that have no number yet. */
  addFacets({ name, columns }: FacetFamily, rows: readonly TableRow[]): Compilable<unknown> {
    const distinct = this.#build
      .selectFrom(this.#given(columns, rows))
      .distinct()
      .select([...columns]);
    // Every process locks the combinations in this order.
    const given = columns.reduce((query, column) => query.orderBy(column), distinct);
    return this.#build
      .insertInto(name)
      .columns([...columns])
      .expression(given)
      .onConflict((conflict) => conflict.columns([...columns]).doNothing());
  }

  /**
   * Writes rows, each id once, where the stored revision is lower. Returns the number of rows whose combinations have numbers:
   * the others were not written.
   */
  upsert(rows: readonly TableRow[]): Compilable<{ readonly numbered: number }> {
    const columns = ['id', 'revision', ...this.#families, ...storedColumns(this.shape)];
    return this.#build
      .with('numbered', () => this.#numbered(rows))
      .with('written', (build) =>
        build
          .insertInto('rows')
          .columns(columns)
          // Every process locks the rows in this order.
          .expression(build.selectFrom('numbered').select(columns).orderBy('id'))
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet(({ ref }) =>
                Object.fromEntries(columns.slice(1).map((column) => [column, ref(`excluded.${column}`)])),
              )
              .where('rows.revision', '<', ({ ref }) => ref('excluded.revision')),
          ),
      )
      .selectFrom('numbered')
      .select(({ fn }) => fn.countAll<number>().as('numbered'));
  }

  revisions(ids: readonly string[]): Compilable<Pick<TableRow, 'id' | 'revision'>> {
    const found = this.#build
      .selectFrom('rows')
      .select(['id', 'revision'])
      .where(sql<boolean>`id = any(${[...ids]}::text[])`);
    return found as Compilable<Pick<TableRow, 'id' | 'revision'>>;
  }

  /** One row for each range, in their order. */
  newestRevisions(ranges: readonly IdRange[]): Compilable<{ readonly newest: number | null }> {
    const [from, to] = [ranges.map((range) => range.from), ranges.map((range) => range.to)];
    const given = sql<GivenRange>`unnest(${from}::text[], ${to}::text[]) with ordinality`;
    return this.#build
      .selectFrom(given.as<'given'>(sql`given(first, last, place)`))
      .select((outer) =>
        outer
          .selectFrom('rows')
          .select(({ fn }) => fn.max<number | null>('revision').as('newest'))
          .where(sql<boolean>`id >= given.first and id <= given.last`)
          .as('newest'),
      )
      .orderBy('given.place') as Compilable<{ readonly newest: number | null }>;
  }

  count(): Compilable<{ readonly count: number }> {
    return this.#build.selectFrom('rows').select(({ fn }) => fn.countAll<number>().as('count'));
  }

  /** In the order of ids, those after `afterId`. */
  page(afterId: string, limit: number): Compilable<TableRow> {
    const page = this.#whole().where('rows.id', '>', afterId).orderBy('rows.id').limit(limit);
    return page as Compilable<TableRow>;
  }

  rows(ids: readonly string[]): Compilable<TableRow> {
    const rows = this.#whole().where(sql<boolean>`${sql.ref('rows.id')} = any(${[...ids]}::text[])`);
    return rows as Compilable<TableRow>;
  }

  /** Rows with the values of their facets. */
  #whole() {
    const { families } = this.shape;
    const tableOf = (column: string): string =>
      families.find(({ columns }) => columns.includes(column))?.name ?? 'rows';
    return this.#families.reduce(
      (query, name) => query.innerJoin(name, `${name}.facet`, `rows.${name}`),
      this.#build
        .selectFrom('rows')
        .select(rowColumns(this.shape).map((column) => `${tableOf(column)}.${column}`)),
    );
  }

  /** The given rows with the numbers of their combinations. */
  #numbered(rows: readonly TableRow[]) {
    const { families } = this.shape;
    const own = ['id', 'revision', ...storedColumns(this.shape)];
    const joined = families.reduce(
      (query, { name, columns }) =>
        query.innerJoin(name, (join) =>
          columns.reduce((on, column) => on.onRef(`${name}.${column}`, '=', `given.${column}`), join),
        ),
      this.#build.selectFrom(this.#given(rowColumns(this.shape), rows)),
    );
    return joined.select([
      ...own.map((column) => `given.${column} as ${column}`),
      ...this.#families.map((name) => `${name}.facet as ${name}`),
    ]);
  }

  #given(columns: readonly string[], rows: readonly TableRow[]) {
    const arrays = columns.map((column) => this.#array(column, rows));
    const names = sql.join(columns.map((column) => sql.id(column)));
    const values = sql<Readonly<Record<string, SqlValue>>>`unnest(${sql.join(arrays)})`;
    return values.as<'given'>(sql`given(${names})`);
  }

  #array(column: string, rows: readonly TableRow[]): RawBuilder<unknown> {
    const text = arrayText(rows.map((row) => row[column] ?? null));
    return sql`${text}::${sql.raw(this.#typeOf(column))}[]`;
  }

  #typeOf(column: string): 'text' | 'integer' | 'bigint' {
    const { integerFacets = [], sorts } = this.shape;
    if (column === 'revision' || integerFacets.includes(column)) return 'integer';
    return [...sorts, ...numberColumns(this.shape)].includes(column) ? 'bigint' : 'text';
  }
}

interface GivenRange {
  readonly first: string;
  readonly last: string;
  readonly place: number;
}

/** An escape of JSON that an array does not have. */
const OTHER_ESCAPE = /(?<!\\)(?:\\\\)*\\[^"\\]/;

/**
 * An array as the server reads it, made here because the driver takes several times as long. Where JSON escapes only quotes
 * and backslashes, its text is the same but for the brackets.
 */
function arrayText(values: readonly SqlValue[]): string {
  const json = JSON.stringify(values);
  if (!OTHER_ESCAPE.test(json)) return `{${json.slice(1, -1)}}`;
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
  return `{${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join()}}`;
}

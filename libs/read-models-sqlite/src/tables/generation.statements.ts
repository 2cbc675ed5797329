import type Database from 'better-sqlite3';
import type { Compilable, Kysely } from 'kysely';
import { compiler, type GenerationTables } from './sqlite.dialect.js';
import { rowColumns, numberColumns, type TableShape } from '@tillstream/read-models';

/** Most ids in one statement. */
export const IDS_PER_STATEMENT_MAX = 200;

export type GenerationStatements = Readonly<
  Record<
    'upsert' | 'revision' | 'revisions' | 'newest' | 'count' | 'row' | 'page',
    Database.Statement<unknown[]>
  >
>;

/** What a writer asks of a generation, planned once. Placeholders stand in the order in which they are written here. */
export function generationStatements(db: Database.Database, shape: TableShape): GenerationStatements {
  const kysely: Kysely<GenerationTables> = compiler();
  const prepared = (query: Compilable): Database.Statement<unknown[]> =>
    db.prepare<unknown[]>(query.compile().sql);
  const families = shape.families.map(({ name }) => name);
  const own = [...shape.sorts, ...shape.labels, ...shape.content, ...numberColumns(shape)];
  const columns = ['id', 'revision', ...families, ...own];
  const revisions = kysely.selectFrom('rows').select(['id', 'revision']);
  const whole = families.reduce(
    (query, name) => query.innerJoin(name, `${name}.facet`, `rows.${name}`),
    kysely.selectFrom('rows').select(rowColumns(shape).map((column) => placed(shape, column))),
  );
  return {
    upsert: prepared(
      kysely
        .insertInto('rows')
        .values(Object.fromEntries(columns.map((column) => [column, ''])))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(({ ref }) =>
              Object.fromEntries(columns.slice(1).map((column) => [column, ref(`excluded.${column}`)])),
            )
            .where('rows.revision', '<', ({ ref }) => ref('excluded.revision')),
        ),
    ),
    revision: prepared(revisions.where('id', '=', '')),
    revisions: prepared(revisions.where('id', 'in', Array<string>(IDS_PER_STATEMENT_MAX).fill(''))),
    newest: prepared(
      kysely
        .selectFrom('rows')
        .select(({ fn }) => fn.max('revision').as('revision'))
        .where('id', '>=', '')
        .where('id', '<=', ''),
    ),
    count: prepared(kysely.selectFrom('rows').select(({ fn }) => fn.countAll().as('count'))),
    row: prepared(whole.where('rows.id', '=', '')),
    page: prepared(whole.where('rows.id', '>', '').orderBy('rows.id').limit(1)),
  };
}

/** Where a column of `rowColumns` is kept. */
function placed({ families }: TableShape, column: string): string {
  const family = families.find(({ columns }) => columns.includes(column));
  return family ? `${family.name}.${column}` : `rows.${column}`;
}

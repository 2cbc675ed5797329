import type Database from 'better-sqlite3';
import type { Compilable, Kysely } from 'kysely';
import { rowColumns, storedColumns, type TableShape } from '@tillstream/read-models';
import { compiler, type GenerationTables } from './sqlite.dialect.js';

export const IDS_PER_STATEMENT_MAX = 200;

export type GenerationStatements = Readonly<
  Record<
    'upsert' | 'revision' | 'revisions' | 'newest' | 'count' | 'row' | 'page',
    Database.Statement<unknown[]>
  >
>;

/** The statements of a generation's writers. The order of the placeholders is that of the columns and conditions here. */
export function generationStatements(db: Database.Database, shape: TableShape): GenerationStatements {
  const kysely: Kysely<GenerationTables> = compiler();
  const prepared = (query: Compilable): Database.Statement<unknown[]> =>
    db.prepare<unknown[]>(query.compile().sql);
  const families = shape.families.map(({ name }) => name);
  const columns = ['id', 'revision', ...families, ...storedColumns(shape)];
  const revisions = kysely.selectFrom('rows').select(['id', 'revision']);
  const whole = families.reduce(
    (query, name) => query.innerJoin(name, `${name}.facet`, `rows.${name}`),
    kysely.selectFrom('rows').select(rowColumns(shape).map((column) => qualified(shape, column))),
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

/** A column of `rowColumns` with the table that holds it. */
function qualified({ families }: TableShape, column: string): string {
  const family = families.find(({ columns }) => columns.includes(column));
  return family ? `${family.name}.${column}` : `rows.${column}`;
}

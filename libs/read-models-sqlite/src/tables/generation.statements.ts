import type Database from 'better-sqlite3';
import type { Compilable } from 'kysely';
import { rowColumns, storedColumns, type TableShape } from '@tillstream/read-models';
import { compiler, prepare, type Statement, type Tables } from './sqlite.dialect.js';

export const IDS_PER_STATEMENT_MAX = 200;

type Name = 'upsert' | 'revision' | 'revisions' | 'newest' | 'count' | 'row' | 'page';

/** The statements of a generation's writers. The order of the placeholders is that of the columns and conditions here. */
export function generationStatements(
  db: Database.Database,
  shape: TableShape,
): Readonly<Record<Name, Statement>> {
  const kysely: Tables = compiler();
  const prepared = (query: Compilable): Statement => prepare(db, query);
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

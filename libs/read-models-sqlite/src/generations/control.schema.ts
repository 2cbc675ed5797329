import type Database from 'better-sqlite3';
import { sql, type Kysely } from 'kysely';
import { compiler, layoutOf, NUMBERED_KEY, setLayout, type ControlTables } from '../tables/sqlite.dialect.js';

/** Raise it when these tables change. Their content can be rebuilt. */
const LAYOUT = 1;

/** @throws Error if a newer program made the tables */
export function hasControlTables(db: Database.Database): boolean {
  const layout = layoutOf(db);
  if (layout > LAYOUT) {
    throw new Error(
      `the lists were made by a newer program (layout ${layout}, this one knows ${LAYOUT}): start that one`,
    );
  }
  return layout === LAYOUT;
}

/** Creates the tables if they are missing. Call it in a transaction. @throws Error if a newer program made the tables */
export function createControlTables(db: Database.Database): void {
  // Another process may have created them while this one waited for the lock.
  if (hasControlTables(db)) return;
  const { schema }: Kysely<ControlTables> = compiler();
  const statements = [
    schema
      .createTable('generations')
      .ifNotExists()
      .addColumn('generation', NUMBERED_KEY, (column) => column.primaryKey())
      .addColumn('projection', 'text', (column) => column.notNull())
      .addColumn('rows_version', 'integer', (column) => column.notNull())
      .addColumn('layout', 'integer', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('builder', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('halted', 'text'),
    schema
      .createIndex('generations_one_live')
      .ifNotExists()
      .unique()
      .on('generations')
      .column('projection')
      .where(sql.ref('status'), '=', sql.lit('Live')),
    schema
      .createTable('leases')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull()),
  ];
  for (const statement of statements) db.exec(statement.compile().sql);
  setLayout(db, LAYOUT);
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { sql, type Kysely } from 'kysely';
import { DamagedFile } from '../damage/file.damage.js';
import {
  compiler,
  layoutOf,
  NUMBERED_KEY,
  openFileWith,
  setLayout,
  type ControlTables,
} from '../tables/sqlite.dialect.js';
import { listOfFile } from './generation.js';

/** Raise it when these tables change. Their content can be rebuilt. */
const LAYOUT = 1;

export interface ControlFile {
  readonly path: string;
  readonly db: Database.Database;
  /** Of the file that `db` has open. The path may name another file by now. */
  readonly inode: number | undefined;
}

/**
 * Opens the control database of a directory, and creates it if it is missing.
 *
 * @throws DamagedFile if it is missing or empty beside lists. Another process may be replacing it at this moment
 */
export function openControlFile(directory: string): ControlFile {
  const path = join(directory, 'control.db');
  for (;;) {
    // Looked for first: a process that starts at the same time creates the database and then the lists.
    const loss = lossIfMissing(directory);
    const inodeBefore = inodeOf(path);
    if (loss !== undefined && inodeBefore === undefined) throw new DamagedFile(loss);
    const file = openFileWith(path, 'maker', (db): ControlFile => {
      // If the tables exist, which is usual, the start does not wait for writers.
      if (!hasControlTables(db)) {
        checkNotEmptied(directory, db);
        db.transaction(() => createControlTables(db)).immediate();
      }
      return { path, db, inode: inodeOf(path) };
    });
    if (inodeBefore === undefined || inodeBefore === file.inode) return file;
    // Another process replaced the file between the two calls.
    file.db.close();
  }
}

export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** What it means that the database is missing: lists show that it was there. Undefined without lists, before a first start. */
export function lossIfMissing(directory: string): string | undefined {
  return hasLists(directory) ? 'it is missing, and lists are beside it' : undefined;
}

function hasLists(directory: string): boolean {
  return readdirSync(directory).some((name) => listOfFile(name) !== undefined);
}

/** The control tables are created before any list: if lists exist without them, the tables were lost. */
export function checkNotEmptied(directory: string, db: Database.Database): void {
  if (hasLists(directory) && !hasControlTables(db))
    throw new DamagedFile('it is empty, and lists are beside it');
}

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

import { openDatabase, enableWriteAheadLog } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import type { SqlValue } from '@tillstream/read-models';

/* All that is SQLite's own. Everything else goes through Kysely, with what PostgreSQL can do too. */

export type Columns = Readonly<Record<string, SqlValue>>;
/** The tables of one generation; those of its facets have the names of their families. */
export interface GenerationTables {
  readonly [table: string]: Columns;
}
export interface ControlTables {
  readonly generations: Columns;
  readonly leases: Columns;
}

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_MAX = 200;

export type OpenAs = 'maker' | 'writer' | 'reader' | 'bulk';

/**
 * Opens a file. `bulk` is for one that nobody else knows yet: nothing of it is safe until `endBulk`. Rows are not synced
 * to the disk one by one: after a power cut the write-ahead log holds whole transactions, and history repairs the rest.
 */
export function openFile(file: string, as: OpenAs): Database.Database {
  return openDatabase(file, { fileMustExist: as === 'reader' || as === 'writer' }, (db) => {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (as === 'bulk') db.pragma('page_size = 8192');
    if (as === 'bulk') {
      db.pragma('journal_mode = OFF');
      db.pragma('synchronous = OFF');
      db.pragma('cache_size = -24000');
      return;
    }
    enableWriteAheadLog(db, BUSY_TIMEOUT_MS);
    db.pragma('synchronous = NORMAL');
    db.pragma('journal_size_limit = 67108864');
    // Pages: mostly somebody has taken them into the file before (generations/checkpoints.ts).
    db.pragma('wal_autocheckpoint = 8000');
    db.pragma('cache_size = -16000');
    if (as === 'reader') db.pragma('query_only = ON');
  });
}

/** Makes what was written in bulk safe, and the file one that several may use. */
export function endBulk(db: Database.Database): void {
  db.pragma('synchronous = FULL');
  db.pragma('journal_mode = WAL');
  // The first commit in the new mode syncs; the checkpoint takes it into the file.
  db.exec('CREATE TABLE bulk_end (one INTEGER)');
  db.exec('DROP TABLE bulk_end');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -16000');
}

/** Another number after every commit of another connection. */
export function dataVersion(db: Database.Database): number {
  return Number(db.pragma('data_version', { simple: true }));
}

/** A number that a file keeps for its program; 0 in a new one. */
export function layoutOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

export function setLayout(db: Database.Database, layout: number): void {
  db.pragma(`user_version = ${layout}`);
}

/** A primary key that numbers its rows by itself. */
export const NUMBERED_KEY = 'integer';

/** Gives the text of statements only. */
export function compiler<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: () => Promise.reject(new Error('only compiles')),
    }),
  });
}

/** For queries: statements that come again are planned once. */
export function kyselyOn<Tables>(db: Database.Database): Kysely<Tables> {
  const statements = new Map<string, SqliteStatement>();
  const database: SqliteDatabase = {
    close: () => {
      statements.clear();
      db.close();
    },
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      if (statements.size >= STATEMENTS_MAX) statements.clear();
      const statement = db.prepare(text) as unknown as SqliteStatement;
      statements.set(text, statement);
      return statement;
    },
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

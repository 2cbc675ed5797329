import { openDatabase, enableWriteAheadLog } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import { Kysely, SqliteDialect, type Compilable, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Columns } from '@tillstream/read-models';

export type { Columns, Tables } from '@tillstream/read-models';

/* Only this file knows SQLite's own statements. Everything else uses Kysely's common subset with PostgreSQL. */

export interface ControlTables {
  readonly generations: Columns;
  readonly leases: Columns;
}

const BUSY_TIMEOUT_MS = 5_000;
/** Of one connection. */
const STATEMENTS_MAX = 200;

type OpenAs = 'maker' | 'writer' | 'reader' | 'bulk';

/**
 * Opens a file. `bulk` is for a file that no other connection has open: a crash before `endBulk` loses it. A commit does not
 * sync: after a power cut the write-ahead log holds whole transactions, and the projector writes the missing rows.
 */
export function openFile(file: string, as: OpenAs): Database.Database {
  return openFileWith(file, as, (db) => db);
}

/** As `openFile`, and returns what `make` makes of the connection. If `make` throws, the connection is closed. */
export function openFileWith<T>(file: string, as: OpenAs, make: (db: Database.Database) => T): T {
  let made: T | undefined;
  openDatabase(file, { fileMustExist: as === 'reader' || as === 'writer' }, (db) => {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (as === 'bulk') {
      db.pragma('page_size = 8192');
      db.pragma('journal_mode = OFF');
      db.pragma('synchronous = OFF');
      db.pragma('cache_size = -24000');
    } else {
      enableWriteAheadLog(db, BUSY_TIMEOUT_MS);
      db.pragma('synchronous = NORMAL');
      db.pragma('journal_size_limit = 67108864');
      // In pages. Usually the `WalCheckpointer` has emptied the log before.
      db.pragma('wal_autocheckpoint = 8000');
      db.pragma('cache_size = -16000');
      if (as === 'reader') db.pragma('query_only = ON');
    }
    made = make(db);
  });
  return made as T;
}

/** Opens a file for the time of `use`. */
export function withFile<T>(file: string, as: OpenAs, use: (db: Database.Database) => T): T {
  const db = openFile(file, as);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** Syncs a bulk load to the disk, and lets several connections use the file. */
export function endBulk(db: Database.Database): void {
  db.pragma('synchronous = FULL');
  db.pragma('journal_mode = WAL');
  // The first commit in the new mode syncs. The checkpoint copies it into the file.
  db.exec('CREATE TABLE bulk_end (one INTEGER)');
  db.exec('DROP TABLE bulk_end');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -16000');
}

/** Changes with every commit of another connection. */
export function dataVersion(db: Database.Database): number {
  return Number(db.pragma('data_version', { simple: true }));
}

/** A number that the file keeps for its program; 0 in a new file. */
export function layoutOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

export function setLayout(db: Database.Database, layout: number): void {
  db.pragma(`user_version = ${layout}`);
}

/** A primary key whose values SQLite numbers. */
export const NUMBERED_KEY = 'integer';

/** Builds statements; it can't run them. */
export function compiler<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database: () => Promise.reject(new Error('only compiles')) }),
  });
}

export type Statement = Database.Statement<unknown[]>;

/** Prepares a statement. The values in `query` only mark its placeholders. */
export function prepare(db: Database.Database, query: Compilable): Statement {
  return db.prepare(query.compile().sql);
}

/** The prepared statements of one connection, by their text: SQLite plans a repeated query once. */
export class StatementCache {
  readonly #statements = new LRUCache<string, Statement>({ max: STATEMENTS_MAX });

  constructor(private readonly db: Database.Database) {}

  prepare(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.db.prepare<unknown[]>(text)));
    return statement;
  }

  all<Row>(query: Compilable): Row[] {
    const { sql, parameters } = query.compile();
    return this.prepare(sql).all(...parameters) as Row[];
  }

  /** @returns how many rows it changed */
  run(query: Compilable): number {
    const { sql, parameters } = query.compile();
    return this.prepare(sql).run(...parameters).changes;
  }
}

/** Runs queries on a connection. */
export function kyselyOn<Tables>(db: Database.Database): Kysely<Tables> {
  const statements = new StatementCache(db);
  const database: SqliteDatabase = {
    close: () => void db.close(),
    prepare: (text) => statements.prepare(text) as unknown as SqliteStatement,
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

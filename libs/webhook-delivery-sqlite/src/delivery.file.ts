import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { blockWhileBusy, enableWriteAheadLog, errorCode, openDatabase } from '@tillstream/sqlite-driver';
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './delivery.schema.js';

/** Transactions take some ms: a longer wait means that a process was stopped in one. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_PAUSE_MS = 2;
/** 16 MiB: fewer syncs, which the events' file beside it waits for, and hot pages are copied once. */
const CHECKPOINT_PAGES = 4_000;
/** The pages that are written again and again: the right edges of the indices. More would only keep cold pages. */
const CACHE_KIB = 4_096;
const FILE = 'deliveries.sqlite';

type Value = string | number | Uint8Array | null;

/** Prepared statements of one connection, by their text. */
export class Statements {
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(private readonly db: Database.Database) {}

  /** The number of changed rows. */
  run(sql: string, ...params: Value[]): number {
    return this.#statement(sql).run(...params).changes;
  }

  /** The row id of an inserted row. */
  insert(sql: string, ...params: Value[]): number {
    return Number(this.#statement(sql).run(...params).lastInsertRowid);
  }

  get<Row>(sql: string, ...params: Value[]): Row | undefined {
    return this.#statement(sql).get(...params) as Row | undefined;
  }

  all<Row>(sql: string, ...params: Value[]): Row[] {
    return this.#statement(sql).all(...params) as Row[];
  }

  #statement(sql: string): Database.Statement {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

interface Connection {
  readonly db: Database.Database;
  readonly sql: Statements;
  readonly write: <T>(work: () => T) => T;
  readonly read: <T>(work: () => T) => T;
  /** Of the file that is open. */
  readonly inode: number;
}

export interface DeliveryFileOptions {
  /** A folder for this file alone. It is created, and replaced by an empty one if its content can't be used. */
  readonly directory: string;
  /** The name of the event store: positions of another one mean nothing. */
  readonly source: string;
  /** Called when a damaged folder was set aside: where it is now, and what was wrong, in one line. */
  readonly onDamage: (movedTo: string, reason: string) => void;
}

/**
 * The file of the deliveries. It can be made again from history, so a damaged file is set aside and the next call finds an
 * empty one, in every process: the file is open by its folder's name, and each call looks whether it is still the same.
 */
export class DeliveryFile {
  #connection: Connection | undefined;

  constructor(private readonly options: DeliveryFileOptions) {
    this.read(() => undefined);
  }

  /** Runs in one transaction. A damaged file is set aside, and the work is done in an empty one. Throws SQLite's errors. */
  write<T>(work: (sql: Statements) => T): T {
    return this.#guarded(work, 'write');
  }

  read<T>(work: (sql: Statements) => T): T {
    return this.#guarded(work, 'read');
  }

  /** Replaces everything by an empty file, in all processes. */
  replace(): void {
    this.close();
    const old = this.#moveAway('replaced');
    rmSync(old, { recursive: true, force: true });
  }

  close(): void {
    this.#connection?.db.close();
    this.#connection = undefined;
  }

  #guarded<T>(work: (sql: Statements) => T, kind: 'read' | 'write'): T {
    const attempt = (): T => {
      const { sql, [kind]: inTransaction } = this.#current();
      return inTransaction(() => work(sql));
    };
    try {
      return attempt();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#setAside(error);
      return attempt();
    }
  }

  #current(): Connection {
    const open = this.#connection;
    if (open && inodeOf(this.#file) === open.inode) return open;
    this.close();
    this.#connection = this.#open();
    return this.#connection;
  }

  get #file(): string {
    return join(this.options.directory, FILE);
  }

  #open(): Connection {
    createFolder(this.options.directory);
    const { source } = this.options;
    const db = openDatabase(this.#file, { timeout: 0 }, (prepared) => {
      enableWriteAheadLog(prepared, BUSY_TIMEOUT_MS);
      // After a power loss the last transactions may be missing: they are made again, and attempts are repeated.
      prepared.pragma('synchronous = NORMAL');
      prepared.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      prepared.pragma(`cache_size = -${CACHE_KIB}`);
    });
    const begin = db.transaction(<T>(work: () => T): T => work()).immediate as Connection['write'];
    const write: Connection['write'] = (work) =>
      blockWhileBusy(() => begin(work), BUSY_TIMEOUT_MS, BUSY_PAUSE_MS);
    const read = db.transaction(<T>(work: () => T): T => work()).deferred as Connection['read'];
    try {
      if (write(() => isUsable(db, source))) {
        return { db, sql: new Statements(db), write, read, inode: inodeOf(this.#file) ?? 0 };
      }
    } catch (error) {
      db.close();
      throw error;
    }
    db.close();
    rmSync(this.#moveAway('replaced'), { recursive: true, force: true });
    return this.#open();
  }

  #setAside(error: unknown): void {
    const broken = this.#connection?.inode;
    this.close();
    // Another process has set it aside already.
    if (broken !== undefined && inodeOf(this.#file) !== broken) return;
    const reason = error instanceof Error ? error.message : String(error);
    const movedTo = this.#moveAway('damaged');
    this.options.onDamage(movedTo, reason);
  }

  /** The folder's new name. One folder of each kind is kept. */
  #moveAway(kind: 'damaged' | 'replaced'): string {
    const movedTo = `${this.options.directory}.${kind}`;
    rmSync(movedTo, { recursive: true, force: true });
    try {
      renameSync(this.options.directory, movedTo);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    return movedTo;
  }
}

/** Creates the tables in an empty file. False if they are of another version, or made from another store. */
function isUsable(db: Database.Database, source: string): boolean {
  const version = migrated(db, Number(db.pragma('user_version', { simple: true })));
  if (version === 0) {
    db.exec(SCHEMA);
    db.prepare('INSERT INTO progress (one, source) VALUES (1, ?)').run(source);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
    return true;
  }
  if (version !== SCHEMA_VERSION) return false;
  const { parts } = db
    .prepare("SELECT count(*) AS parts FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    .get() as { readonly parts: number };
  if (parts !== SCHEMA.split('CREATE ').length - 1) throw missingTables();
  const stored = db.prepare<[], { source: string }>('SELECT source FROM progress').get();
  return stored?.source === source;
}

/** Returns the version that the tables have then. */
function migrated(db: Database.Database, version: number): number {
  const migration = MIGRATIONS.get(version);
  if (migration === undefined) return version;
  db.exec(migration);
  db.pragma(`user_version = ${version + 1}`);
  return migrated(db, version + 1);
}

/** Its version says that the file has them. */
function missingTables(): Error {
  return Object.assign(new Error('its tables are missing'), { code: 'SQLITE_CORRUPT' });
}

/** Not with its parents: if the data directory was deleted, this fails, and the caller tries again later. */
function createFolder(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** A page is malformed, or the file is not a database (https://sqlite.org/rescode.html). */
function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error));
}

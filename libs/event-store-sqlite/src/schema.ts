import { EventStoreError } from '@tillstream/event-store';
import { openDatabase, enableWriteAheadLog } from '@tillstream/sqlite-driver';
import type Database from 'better-sqlite3';
import type { CompanionMigration } from './writer/writer.messages.js';

/** Stored in `PRAGMA user_version`. */
const SCHEMA_VERSION = 1;

export const NEVER_CHANGED_TRIGGER = `CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END`;

/**
 * `position` is the rowid. SQLite has one writer at a time, so the order of positions is the order of commits, without
 * gaps. `category` is computed, so it can't contradict the stream. Its index ends with the rowid, so a read of one category
 * is in order. Most event ids are UUIDv7, so their index grows at its end.
 */
const tables = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream   TEXT    NOT NULL,
    revision INTEGER NOT NULL,
    id       BLOB    NOT NULL CHECK (length(id) = 16),
    type     TEXT    NOT NULL,
    data     TEXT    NOT NULL,
    metadata TEXT    NOT NULL,
    category TEXT    GENERATED ALWAYS AS (substr(stream, 1, instr(stream || '-', '-') - 1)) VIRTUAL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE UNIQUE INDEX events_by_id ON events (id);
  CREATE INDEX events_by_category ON events (category);
  ${NEVER_CHANGED_TRIGGER};
  CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
  CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), writes INTEGER NOT NULL) STRICT;
  INSERT INTO probe (id, writes) VALUES (1, 0);
  CREATE TABLE companions (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** A write without meaning. It shows that the file is writable. */
export const PROBE = 'UPDATE probe SET writes = writes + 1';

/** While a process starts it rather waits for a slow disk than fails. */
const STARTUP_BUSY_TIMEOUT_MS = 30_000;

/** Opens the connection of the writer, and creates the file and its tables if they are missing. */
export function openWriter(file: string): Database.Database {
  return openDatabase(file, {}, (db) => {
    db.pragma(`busy_timeout = ${STARTUP_BUSY_TIMEOUT_MS}`);
    const mode = enableWriteAheadLog(db, STARTUP_BUSY_TIMEOUT_MS);
    if (mode !== 'wal') {
      throw new EventStoreError(
        'Unavailable',
        `${file}: this file system can't hold a write-ahead log (journal mode ${mode})`,
      );
    }
    db.pragma('synchronous = FULL');
    db.pragma('temp_store = MEMORY');
    db.pragma('cache_size = -32000');
    db.pragma('journal_size_limit = 67108864');
    // In pages. The writer makes its checkpoints earlier, after a reply; a checkpoint inside a commit delays the whole group.
    db.pragma('wal_autocheckpoint = 4000');
    if (schemaVersion(db, file) < SCHEMA_VERSION) db.transaction(() => createTables(db, file)).immediate();
    // From here on the writer waits for other processes itself: SQLite's own pauses grow to 100 ms.
    db.pragma('busy_timeout = 0');
  });
}

/** Opens a connection that only reads. `readOnly` also opens the file itself read-only. */
export function openReader(file: string, readOnly = false): Database.Database {
  return openDatabase(file, { readonly: readOnly, fileMustExist: true }, (db) => {
    db.pragma('busy_timeout = 5000');
    db.pragma('query_only = ON');
    if (schemaVersion(db, file) !== SCHEMA_VERSION || !hasEventsTable(db))
      throw new EventStoreError('Unavailable', `${file} holds no event store`);
  });
}

/** Updates the tables of a companion, such as the idempotency records. Each step runs once, in order. */
export function migrateCompanion(db: Database.Database, migration: CompanionMigration): void {
  const { name, steps } = migration;
  const migrate = db.transaction(() => {
    for (const step of missingSteps(db, migration)) db.exec(step);
    db.prepare('INSERT OR REPLACE INTO companions (name, version) VALUES (?, ?)').run(name, steps.length);
  });
  db.pragma(`busy_timeout = ${STARTUP_BUSY_TIMEOUT_MS}`);
  try {
    // At most starts no step is missing. They need no lock and do not wait for writers.
    if (missingSteps(db, migration).length > 0) migrate.immediate();
  } finally {
    db.pragma('busy_timeout = 0');
  }
}

function missingSteps(db: Database.Database, { name, steps }: CompanionMigration): readonly string[] {
  const row = db
    .prepare<[string], { version: number }>('SELECT version FROM companions WHERE name = ?')
    .get(name);
  const version = row?.version ?? 0;
  if (version > steps.length) {
    throw new EventStoreError(
      'Unavailable',
      `the tables of ${name} are of version ${version}, this program knows ${steps.length}: start the newer program`,
    );
  }
  return steps.slice(version);
}

function createTables(db: Database.Database, file: string): void {
  // Another process may have created them while this one waited for the lock.
  if (schemaVersion(db, file) === SCHEMA_VERSION) return;
  db.exec(tables);
  db.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** Other databases of the service use the same version numbers. */
function hasEventsTable(db: Database.Database): boolean {
  const find = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'events'";
  return db.prepare(find).get() !== undefined;
}

function schemaVersion(db: Database.Database, file: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > SCHEMA_VERSION) {
    throw new EventStoreError(
      'Unavailable',
      `${file} was written by a newer version (schema ${version}, this program knows ${SCHEMA_VERSION}): start the newer program`,
    );
  }
  return version;
}

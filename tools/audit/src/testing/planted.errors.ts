import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@tillstream/sqlite-driver';

/* Changes the files of a data directory as a fault or an attacker could. */

type Json = Record<string, unknown>;

/** An event of the file. `data` may be changed in place. */
export interface StoredRow {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly data: Json;
}

/** Changes the data of the first event of a type that `change` does not refuse with `false`. Returns its stream. */
export function changeEvent(directory: string, type: string, change: (row: StoredRow) => unknown): string {
  return withEvents(directory, (db) => {
    for (const row of rowsOf(db, type)) {
      if (change(row) === false) continue;
      db.prepare('UPDATE events SET data = ? WHERE position = ?').run(JSON.stringify(row.data), row.position);
      return row.stream;
    }
    throw new Error(`no ${type} to change`);
  });
}

export function deleteEvent(directory: string, type: string, isIt: (row: StoredRow) => boolean): StoredRow {
  return withEvents(directory, (db) => {
    const row = rowsOf(db, type).find(isIt);
    if (!row) throw new Error(`no ${type} to delete`);
    db.prepare('DELETE FROM events WHERE position = ?').run(row.position);
    return row;
  });
}

/** Appends a changed copy of an event to its own stream. */
export function repeatEvent(directory: string, type: string, change: (row: StoredRow) => unknown): string {
  return withEvents(directory, (db) => {
    const row = rowsOf(db, type).find((one) => change(one) !== false);
    if (!row) throw new Error(`no ${type} to repeat`);
    db.prepare(
      `INSERT INTO events (position, stream, revision, id, type, data, metadata)
       SELECT (SELECT max(position) + 1 FROM events), stream,
         (SELECT max(revision) + 1 FROM events AS all_of WHERE all_of.stream = events.stream),
         randomblob(16), type, ?, metadata FROM events WHERE position = ?`,
    ).run(JSON.stringify(row.data), row.position);
    return row.stream;
  });
}

/** The data of all events of a type. */
export function eventsOf(directory: string, type: string): readonly StoredRow[] {
  return withEvents(directory, (db) => rowsOf(db, type));
}

/** Runs SQL on a processor's books, whose triggers are removed. */
export function changeBooks(directory: string, sql: string): void {
  withDatabase(join(directory, 'sandbox.db'), (db) => {
    db.exec('DROP TRIGGER movement_no_update; DROP TRIGGER movement_no_delete');
    if (db.prepare(sql).run().changes === 0) throw new Error(`nothing to change: ${sql}`);
  });
}

/** Runs SQL on the rows of a list. */
export function changeRows(directory: string, projection: string, sql: string): void {
  const lists = join(directory, 'read-models');
  const name = readdirSync(lists).find((file) => new RegExp(`^${projection}-\\d+\\.db$`).test(file));
  if (name === undefined) throw new Error(`there is no list ${projection}`);
  withDatabase(join(lists, name), (db) => {
    if (db.prepare(sql).run().changes === 0) throw new Error(`nothing to change: ${sql}`);
  });
}

type Database = ReturnType<typeof openDatabase>;

function rowsOf(db: Database, type: string): StoredRow[] {
  type Row = Omit<StoredRow, 'data'> & { readonly data: string };
  const rows = db
    .prepare<[string], Row>(
      'SELECT position, stream, type, data FROM events WHERE type = ? ORDER BY position',
    )
    .all(type);
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as Json }));
}

function withEvents<Result>(directory: string, work: (db: Database) => Result): Result {
  return withDatabase(join(directory, 'events.db'), (db) => {
    db.exec(
      'DROP TRIGGER IF EXISTS events_are_never_changed; DROP TRIGGER IF EXISTS events_are_never_deleted',
    );
    return work(db);
  });
}

function withDatabase<Result>(file: string, work: (db: Database) => Result): Result {
  const db = openDatabase(file, { fileMustExist: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

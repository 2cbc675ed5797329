import type { SqliteDatabase } from '@tillstream/webhooks';

export type Database = SqliteDatabase & { close(): void };

/** Opens or creates the file with Node's own SQLite (Node 22.13 and later), else with `better-sqlite3`. */
export async function openDatabase(file: string): Promise<Database> {
  const { DatabaseSync } = (process.getBuiltinModule('node:sqlite') ?? {}) as {
    DatabaseSync?: new (file: string) => Database;
  };
  const database = DatabaseSync ? new DatabaseSync(file) : new (await import('better-sqlite3')).default(file);
  // `full`: what was committed survives a loss of power. The inbox insists on it.
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000');
  return database;
}

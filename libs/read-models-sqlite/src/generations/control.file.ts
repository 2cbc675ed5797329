import type Database from 'better-sqlite3';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Compilable } from 'kysely';
import { DamagedFile } from '../damage/damage.errors.js';
import { openFile } from '../tables/sqlite.dialect.js';
import { createControlTables, hasControlTables } from './control.schema.js';
import { generationOfFile } from './generation.names.js';
import { LeaseTable } from './lease.table.js';

/** One connection to the control database. */
export class ControlFile {
  readonly leases: LeaseTable;
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();

  private constructor(
    readonly path: string,
    readonly db: Database.Database,
    private readonly inode: number | undefined,
  ) {
    this.leases = new LeaseTable(db);
  }

  /** Makes it where it is missing. */
  static open(directory: string): ControlFile {
    const path = join(directory, 'control.db');
    for (;;) {
      const before = inodeOf(path);
      const db = openFile(path, 'maker');
      try {
        // The usual start finds all done, and does not wait for those who write.
        if (!hasControlTables(db)) {
          if (before !== undefined) checkNotEmptied(directory, db);
          db.transaction(() => createControlTables(db)).immediate();
        }
        const inode = inodeOf(path);
        if (before === undefined || before === inode) return new ControlFile(path, db, inode);
      } catch (error) {
        db.close();
        throw error;
      }
      // It was replaced just now.
      db.close();
    }
  }

  /** Whether another file has its name by now. */
  isReplaced(): boolean {
    const inode = inodeOf(this.path);
    return inode !== undefined && inode !== this.inode;
  }

  all(query: Compilable): Record<string, unknown>[] {
    const [statement, parameters] = this.#statement(query);
    return statement.all(...parameters) as Record<string, unknown>[];
  }

  run(query: Compilable): number {
    const [statement, parameters] = this.#statement(query);
    return statement.run(...parameters).changes;
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }

  #statement(query: Compilable): [Database.Statement<unknown[]>, readonly unknown[]] {
    const { sql: text, parameters } = query.compile();
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.db.prepare(text)));
    return [statement, parameters];
  }
}

/** Lists are made after the tables that know them: tables that are missing beside lists were lost. */
export function checkNotEmptied(directory: string, db: Database.Database): void {
  const isUsed = readdirSync(directory).some((name) => generationOfFile(name) !== undefined);
  if (isUsed && !hasControlTables(db)) throw new DamagedFile('it is empty, and lists are beside it');
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

import type Database from 'better-sqlite3';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedFile } from '../damage/damage.errors.js';
import { openFile } from '../tables/sqlite.dialect.js';
import { StatementCache } from '../tables/statement.cache.js';
import { createControlTables, hasControlTables } from './control.schema.js';
import { listOfFile } from './generation.names.js';
import { LeaseTable } from './lease.table.js';

/** One connection to the control database. */
export class ControlFile {
  readonly leases: LeaseTable;
  readonly statements: StatementCache;

  private constructor(
    readonly path: string,
    readonly db: Database.Database,
    private readonly inode: number | undefined,
  ) {
    this.leases = new LeaseTable(db);
    this.statements = new StatementCache(db);
  }

  /** Creates the file if it is missing. */
  static open(directory: string): ControlFile {
    const path = join(directory, 'control.db');
    for (;;) {
      const inodeBefore = inodeOf(path);
      const db = openFile(path, 'maker');
      try {
        // If the tables exist, which is usual, the start does not wait for writers.
        if (!hasControlTables(db)) {
          if (inodeBefore !== undefined) checkNotEmptied(directory, db);
          db.transaction(() => createControlTables(db)).immediate();
        }
        const inode = inodeOf(path);
        if (inodeBefore === undefined || inodeBefore === inode) return new ControlFile(path, db, inode);
      } catch (error) {
        db.close();
        throw error;
      }
      // Another process replaced the file between the two calls.
      db.close();
    }
  }

  /** Whether the path names another file by now. */
  isReplaced(): boolean {
    const inode = inodeOf(this.path);
    return inode !== undefined && inode !== this.inode;
  }

  close(): void {
    this.db.close();
  }
}

/** The control tables are created before any list: if lists exist without them, the tables were lost. */
export function checkNotEmptied(directory: string, db: Database.Database): void {
  const hasLists = readdirSync(directory).some((name) => listOfFile(name) !== undefined);
  if (hasLists && !hasControlTables(db)) throw new DamagedFile('it is empty, and lists are beside it');
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

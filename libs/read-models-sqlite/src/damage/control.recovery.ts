import { join } from 'node:path';
import { existsSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { PROJECTIONS } from '@tillstream/read-models';
import { ControlFile, checkNotEmptied } from '../generations/control.file.js';
import { createControlTables, hasControlTables } from '../generations/control.schema.js';
import { highestGeneration } from '../generations/generation.names.js';
import { LeaseTable } from '../generations/lease.table.js';
import { compiler, openFile, type ControlTables } from '../tables/sqlite.dialect.js';
import { isDamage } from './damage.errors.js';
import { findFileDamage, checkEveryPage } from './page.check.js';
import { withDamageLock, setAside, type OnSetAside } from './damaged-file.js';

/**
 * Puts a new control database in the place of a damaged one, which is set aside. Of several processes that see the damage
 * one does it; the others find the new one. All lists are made again: which of their files is whole and belongs to which
 * history was written in the damaged file alone.
 */
export function replaceDamagedControl(directory: string, tell: OnSetAside): void {
  withDamageLock(directory, () => {
    const path = join(directory, 'control.db');
    if (!existsSync(path)) return;
    const reason = findFileDamage(path, (db) => {
      if (!hasControlTables(db)) checkNotEmptied(directory, db);
      else {
        new LeaseTable(db);
        db.prepare('SELECT generation, projection, status FROM generations').all();
      }
    });
    if (reason === undefined) return;
    const aside = setAside(path, reason);
    makeNew(directory, path);
    tell(aside);
  });
}

/** Knows every list as one whose file is damaged. Numbers go on above those that files have: no file is taken for another. */
function makeNew(directory: string, path: string): void {
  const kysely: Kysely<ControlTables> = compiler();
  const highest = highestGeneration(directory);
  const db = openFile(path, 'maker');
  try {
    const make = db.transaction(() => {
      createControlTables(db);
      for (const [index, projection] of PROJECTIONS.entries()) {
        const { sql, parameters } = kysely
          .insertInto('generations')
          .values({
            ...{ generation: highest + 1 + index, projection, rows_version: 0, layout: 0, source: '' },
            ...{ status: 'Damaged', builder: '', changed_at: Date.now(), halted: null },
          })
          .compile();
        db.prepare(sql).run(...parameters);
      }
    });
    make.immediate();
  } finally {
    db.close();
  }
}

/** Opens the control database. If `tell` is given it is looked through, and replaced where it is damaged. */
export function openControlFile(directory: string, tell: OnSetAside | undefined): ControlFile {
  if (!tell) return ControlFile.open(directory);
  let file: ControlFile | undefined;
  try {
    file = ControlFile.open(directory);
    checkEveryPage(file.db);
    return file;
  } catch (error) {
    file?.close();
    if (!isDamage(error)) throw error;
    replaceDamagedControl(directory, tell);
    return ControlFile.open(directory);
  }
}

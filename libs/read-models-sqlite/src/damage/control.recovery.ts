import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { PROJECTIONS } from '@tillstream/read-models';
import {
  checkNotEmptied,
  createControlTables,
  hasControlTables,
  lossIfMissing,
  openControlFile,
  type ControlFile,
} from '../generations/control.file.js';
import { highestGeneration } from '../generations/generation.js';
import { compiler, StatementCache, withFile, type ControlTables } from '../tables/sqlite.dialect.js';
import {
  checkEveryPage,
  findFileDamage,
  isDamage,
  isFileAccess,
  setAside,
  withDamageLock,
  type DamageLog,
} from './file.damage.js';

/**
 * Sets a damaged control database aside and creates a new one, also for one that was lost. If several processes find the damage, the first one does it
 * and the others find the new file. All lists are rebuilt: only the damaged file said which of their files are live.
 */
export function replaceDamagedControl(directory: string, log: DamageLog): void {
  withDamageLock(directory, () => {
    const path = join(directory, 'control.db');
    const reason = existsSync(path)
      ? findFileDamage(path, (db) => {
          if (!hasControlTables(db)) return checkNotEmptied(directory, db);
          db.prepare('SELECT name, holder, until FROM leases').all();
          db.prepare('SELECT generation, projection, status FROM generations').all();
        })
      : lossIfMissing(directory);
    if (reason === undefined) return;
    const move = setAside(path, reason);
    createWithDamagedLists(directory, path);
    log.warn('list-damaged', move);
  });
}

/** Registers every list as damaged. Its numbers are above those of all files in the directory, so no old file is used. */
function createWithDamagedLists(directory: string, path: string): void {
  const kysely: Kysely<ControlTables> = compiler();
  const highest = highestGeneration(directory);
  withFile(path, 'maker', (db) => {
    const create = db.transaction(() => {
      createControlTables(db);
      const lists = PROJECTIONS.map((projection, index) => ({
        ...{ generation: highest + 1 + index, projection, rows_version: 0, layout: 0, source: '' },
        ...{ status: 'Damaged', builder: '', changed_at: Date.now(), halted: null },
      }));
      new StatementCache(db).run(kysely.insertInto('generations').values(lists));
    });
    create.immediate();
  });
}

/** Opens the control database. If `log` is given, checks every page and replaces the database if it is damaged. */
export function openCheckedControlFile(directory: string, log: DamageLog | undefined): ControlFile {
  if (!log) return openControlFile(directory);
  let file: ControlFile | undefined;
  try {
    file = openControlFile(directory);
    checkEveryPage(file.db);
    return file;
  } catch (error) {
    file?.db.close();
    if (!isDamage(error) && !isFileAccess(error)) throw error;
    replaceDamagedControl(directory, log);
    return openControlFile(directory);
  }
}

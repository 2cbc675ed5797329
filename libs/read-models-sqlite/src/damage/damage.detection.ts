import { tableShape } from '@tillstream/read-models';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { FacetTable } from '../tables/facet.table.js';
import { generationStatements } from '../tables/generation.schema.js';
import { ProgressTable } from '../tables/progress.table.js';
import { DamagedFile, findFileDamage, isDamage, isDamagedPage, isFileAccess } from './file.damage.js';

/** Returns what is wrong with the file of a generation; undefined if no damage is found. */
type FindDamage = (control: ControlDatabase, generation: Generation) => string | undefined;

export const findListDamage: FindDamage = (control, generation) => {
  const shape = tableShape(generation.projection);
  return findFileDamage(control.fileOf(generation), (db) => {
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    // This program does not know the tables of another layout.
    if (generation.layout !== shape.layout) return;
    generationStatements(db, shape);
    for (const family of shape.families) new FacetTable(db, family);
    checkProgress(new ProgressTable(db));
  });
};

export const findOrderedDamage: FindDamage = (control, generation) =>
  findFileDamage(control.fileOf(generation), (db) => checkProgress(new ProgressTable(db)));

function checkProgress(progress: ProgressTable): void {
  if (!progress.exists()) throw new DamagedFile('its progress is missing');
}

/** At a start: sets the file of a projection's live generation aside if it is damaged. */
export function setDamagedLiveAside(
  control: ControlDatabase,
  projection: string,
  findDamage: FindDamage,
): void {
  const live = control.setsDamagedAside ? control.live(projection) : undefined;
  const reason = live && findLiveDamage(control, live, findDamage);
  if (reason !== undefined) control.setAside(live as Generation, reason);
}

function findLiveDamage(
  control: ControlDatabase,
  live: Generation,
  findDamage: FindDamage,
): string | undefined {
  try {
    return findDamage(control, live);
  } catch (error) {
    if (!isFileAccess(error)) throw error;
    const isLive = (): boolean => control.live(live.projection)?.generation === live.generation;
    return control.inTransaction(() => (isLive() ? findDamage(control, live) : undefined));
  }
}

/**
 * If an error that a live generation's file gave says that the file is damaged, sets the file aside (unless another process
 * or thread has done so), and the leader of the projectors rebuilds the list. False, and nothing changes, if the error has
 * another cause or `control` does not recover. `findDamage` decides if the error alone does not.
 */
export function setAsideIfDamaged(
  control: ControlDatabase,
  generation: Generation,
  error: unknown,
  findDamage: FindDamage = findListDamage,
): boolean {
  if (!control.setsDamagedAside || !isDamage(error)) return false;
  const reason = isDamagedPage(error) ? String((error as Error).message) : findDamage(control, generation);
  if (reason === undefined) return false;
  control.setAside(generation, reason);
  return true;
}

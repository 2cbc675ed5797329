import { tableShape } from '@tillstream/read-models';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { FacetTable } from '../tables/facet.table.js';
import { generationStatements } from '../tables/generation.statements.js';
import { ProgressTable } from '../tables/progress.table.js';
import { DamagedFile, isDamage, isDamagedPage } from './damage.errors.js';
import { findFileDamage } from './page.check.js';

/** What is wrong with the file of a list's generation; undefined where nothing is seen. */
export function findListDamage(
  control: Pick<ControlDatabase, 'fileOf'>,
  generation: Generation,
): string | undefined {
  const shape = tableShape(generation.projection);
  return findFileDamage(control.fileOf(generation), (db) => {
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    // Tables of another program are not known here.
    if (generation.layout !== shape.layout) return;
    generationStatements(db, shape);
    for (const family of shape.families) new FacetTable(db, shape, family);
    if (!new ProgressTable(db).exists()) throw new DamagedFile('its progress is missing');
  });
}

/** What is wrong with the file of a generation; undefined where nothing is seen. */
export type FindDamage = (
  control: Pick<ControlDatabase, 'fileOf'>,
  generation: Generation,
) => string | undefined;

/**
 * Whether an error that a live list gave says that its file is damaged. If so the list is set aside, unless another process
 * or thread did that before, and the leader of the projectors makes it again. False, and nothing is changed, where the
 * error says something else or `control` does not mend. `damageOf` looks where the error alone does not tell.
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

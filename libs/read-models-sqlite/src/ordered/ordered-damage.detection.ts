import { existsSync } from 'node:fs';
import { DamagedFile } from '../damage/damage.errors.js';
import { findFileDamage } from '../damage/page.check.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { ProgressTable } from '../tables/progress.table.js';

/** What is wrong with the file of an ordered projection's generation; undefined where nothing is seen. A missing one is no damaged one. */
export function findOrderedDamage(
  control: Pick<ControlDatabase, 'fileOf'>,
  generation: Generation,
): string | undefined {
  const file = control.fileOf(generation);
  if (!existsSync(file)) return undefined;
  return findFileDamage(file, (db) => {
    if (!new ProgressTable(db).exists()) throw new DamagedFile('its progress is missing');
  });
}

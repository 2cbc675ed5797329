import { existsSync } from 'node:fs';
import { DamagedFile } from '../damage/damage.js';
import { damageIn } from '../damage/look.through.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { ProgressTable } from '../tables/progress.table.js';

/** What is wrong with the file of an ordered projection's generation; undefined where nothing is seen. A missing one is no damaged one. */
export function damageOfOrdered(
  control: Pick<ControlDatabase, 'fileOf'>,
  generation: Generation,
): string | undefined {
  const file = control.fileOf(generation);
  if (!existsSync(file)) return undefined;
  return damageIn(file, (db) => {
    if (!new ProgressTable(db).exists()) throw new DamagedFile('its progress is missing');
  });
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECTIONS } from '@tillstream/read-models';
import { buildLease } from './build.lease.js';
import { removeFiles, type ControlDatabase, type Generation } from './control.database.js';

/** Others may be in the middle of a query on what was live a moment ago. */
const RETIRED_FOR_MS = 60_000;
const FILE = new RegExp(`^(${PROJECTIONS.join('|')})-([0-9]+)\\.db(-wal|-shm|-journal)?$`);

/** The number in the name of a generation's file, or of what SQLite keeps beside it; undefined for any other name. */
export function generationOfFile(name: string): number | undefined {
  const number = FILE.exec(name)?.[2];
  return number === undefined ? undefined : Number(number);
}

/** Removes what nobody uses any more: retired generations, and what rebuilds left that did not live to their end. */
export function cleanUp(control: ControlDatabase, now: number): void {
  for (const generation of control.generations()) {
    if (isOver(control, generation, now)) control.remove(generation, now);
  }
  control.forgetRemoved();
  removeStrayFiles(control);
}

function isOver(control: ControlDatabase, generation: Generation, now: number): boolean {
  const { status, changedAt, builder, projection } = generation;
  if (status === 'Retired') return changedAt + RETIRED_FOR_MS <= now;
  if (status === 'Building' || status === 'Next') {
    return control.leaseTable.holder(buildLease(projection), now) !== builder;
  }
  return false;
}

function removeStrayFiles(control: ControlDatabase): void {
  control.undisturbed(() => {
    const kept = new Set(
      control.generations().flatMap((one) => (one.status === 'Removed' ? [] : [one.generation])),
    );
    for (const name of readdirSync(control.directory)) {
      const [, projection, generation] = FILE.exec(name) ?? [];
      if (projection === undefined || kept.has(Number(generation))) continue;
      removeFiles(join(control.directory, `${projection}-${generation}.db`));
    }
  });
}

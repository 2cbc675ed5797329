import { readdirSync } from 'node:fs';
import { listOfFile } from './generation.names.js';
import { buildLease } from './build.lease.js';
import { type ControlDatabase } from './control.database.js';
import { removeFiles, type Generation } from './generation.js';

/** Others may be in the middle of a query on what was live a moment ago. */
const RETIRED_MS_MIN = 60_000;

/** Removes what nobody uses any more: retired generations, and what rebuilds left that did not live to their end. */
export function cleanUpGenerations(control: ControlDatabase, now: number): void {
  for (const generation of control.generations()) {
    if (isRemovable(control, generation, now)) control.remove(generation, now);
  }
  control.forgetRemoved();
  removeStrayFiles(control);
}

function isRemovable(control: ControlDatabase, generation: Generation, now: number): boolean {
  const { status, changedAt, builder, projection } = generation;
  if (status === 'Retired') return changedAt + RETIRED_MS_MIN <= now;
  if (status === 'Building' || status === 'Next') {
    return control.withLeases((leases) => leases.holder(buildLease(projection), now)) !== builder;
  }
  return false;
}

function removeStrayFiles(control: ControlDatabase): void {
  control.inTransaction(() => {
    const kept = new Set(
      control.generations().flatMap((one) => (one.status === 'Removed' ? [] : [one.generation])),
    );
    for (const name of readdirSync(control.directory)) {
      const list = listOfFile(name);
      if (list === undefined || kept.has(list.generation)) continue;
      removeFiles(control.fileOf(list));
    }
  });
}

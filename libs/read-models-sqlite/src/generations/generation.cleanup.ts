import { readdirSync } from 'node:fs';
import { listOfFile } from './generation.names.js';
import { buildLease } from './build.lease.js';
import type { ControlDatabase } from './control.database.js';
import { removeFiles, type Generation } from './generation.js';

/** Another process may still run a query on a generation that has just retired. */
const RETIRED_MS_MIN = 60_000;

/** Removes retired generations, generations whose builder died, and files that belong to no generation. */
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

/** In a transaction, so that no other process registers a generation and creates its file meanwhile. */
function removeStrayFiles(control: ControlDatabase): void {
  control.inTransaction(() => {
    const kept = new Set(
      control
        .generations()
        .filter(({ status }) => status !== 'Removed')
        .map(({ generation }) => generation),
    );
    for (const name of readdirSync(control.directory)) {
      const list = listOfFile(name);
      if (list && !kept.has(list.generation)) removeFiles(control.fileOf(list));
    }
  });
}

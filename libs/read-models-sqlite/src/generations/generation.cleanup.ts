import { readdirSync } from 'node:fs';
import type { ControlDatabase } from './control.database.js';
import { buildLease } from './generation.build.js';
import { listOfFile, removeFiles, type Generation } from './generation.js';
import { leaseHolder } from './sqlite.leases.js';

/** Another process may still run a query on a generation that has just retired. */
const RETIRED_MS_MIN = 60_000;

/** Removes retired generations, generations whose builder died, and files that belong to no generation. */
export function cleanUpGenerations(control: ControlDatabase, now = Date.now()): void {
  for (const generation of control.generations()) {
    if (isRemovable(control, generation, now)) control.remove(generation);
  }
  control.forgetRemoved();
  // No other process registers a generation and creates its file during the transaction.
  control.inTransaction(() => {
    const kept = control.generations().filter(({ status }) => status !== 'Removed');
    const numbers = new Set(kept.map(({ generation }) => generation));
    for (const name of readdirSync(control.directory)) {
      const list = listOfFile(name);
      if (list && !numbers.has(list.generation)) removeFiles(control.fileOf(list));
    }
  });
}

function isRemovable(control: ControlDatabase, generation: Generation, now: number): boolean {
  const { status, changedAt, builder, projection } = generation;
  if (status === 'Retired') return changedAt + RETIRED_MS_MIN <= now;
  const isBeingBuilt = status === 'Building' || status === 'Next';
  return isBeingBuilt && leaseHolder(control, buildLease(projection)) !== builder;
}

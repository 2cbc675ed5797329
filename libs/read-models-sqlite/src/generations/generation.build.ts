import { readdirSync } from 'node:fs';
import { RebuildRefused, superseded } from '@tillstream/read-models';
import type { ControlDatabase } from './control.database.js';
import { listOfFile, removeFiles, type Generation, type GenerationShape } from './generation.js';
import { leaseHolder, SqliteLeases } from './sqlite.leases.js';

const LEASE_MS = 30_000;
const RENEW_INTERVAL_MS = LEASE_MS / 4;
/** Another process may still run a query on a generation that has just retired. */
const RETIRED_MS_MIN = 60_000;

/** The name of the lease of the process that rebuilds a projection. */
export const buildLease = (projection: string): string => `build:${projection}`;

export interface GenerationBuild {
  readonly generation: Generation;
  /** Of its file, which the builder creates. */
  readonly path: string;
  /**
   * Call it at least every 15 s to keep the lease. Most calls do not touch the control database: a builder calls it between
   * any two pages, and each write makes other processes read it again. Throws if another builder has taken over, or the
   * signal's reason.
   */
  proceed(): void;
  /** Announces the generation, calls `catchUp`, which reads to the head of the store, and makes the generation live. */
  goLive(catchUp: () => Promise<void>): Promise<void>;
}

/**
 * Builds a new generation beside the live one, under the lease of builders. Afterwards the generation is removed, unless it
 * has become live. Rejects with `RebuildRefused` if another builder has the lease.
 */
export async function buildGeneration<T>(
  control: ControlDatabase,
  shape: GenerationShape,
  signal: AbortSignal | undefined,
  build: (started: GenerationBuild) => Promise<T>,
): Promise<T> {
  const { projection } = shape;
  const leases = new SqliteLeases(control);
  const lease = buildLease(projection);
  signal?.throwIfAborted();
  if (!leases.holdNow(lease, LEASE_MS)) {
    throw new RebuildRefused(projection, 'another rebuild of it is running');
  }
  let renewedAt = performance.now();
  const assertStillBuilder = (isBuilder: boolean): void => {
    if (!isBuilder) throw superseded(projection);
  };
  let generation: Generation | undefined;
  try {
    const started = (generation = control.startBuilding(shape, leases.holder));
    return await build({
      generation: started,
      path: control.fileOf(started),
      proceed() {
        signal?.throwIfAborted();
        const now = performance.now();
        if (now < renewedAt + RENEW_INTERVAL_MS) return;
        assertStillBuilder(leases.holdNow(lease, LEASE_MS));
        renewedAt = now;
      },
      async goLive(catchUp) {
        assertStillBuilder(control.announce(started));
        // Events appended before now are read here. Writers of later events see the announcement (docs/adr/0017).
        await catchUp();
        signal?.throwIfAborted();
        assertStillBuilder(control.swap(started));
      },
    });
  } finally {
    if (generation) control.abandon(generation);
    await leases.release(lease);
  }
}

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

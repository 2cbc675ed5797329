import { setTimeout } from 'node:timers/promises';
import { PostgresLeases } from '@tillstream/postgres-driver';
import { RebuildRefused, superseded } from '@tillstream/read-models';
import { LEASES } from './control.tables.js';
import type { Generation, GenerationShape } from './generation.js';
import type { ListControl, MakeTables } from './list.control.js';

const LEASE_MS = 30_000;
const RENEW_INTERVAL_MS = LEASE_MS / 4;
/** Another process may still run a query on a generation that has just retired. */
const RETIRED_MS_MIN = 60_000;

/** The name of the lease of the process that rebuilds a projection. */
export const buildLease = (projection: string): string => `build:${projection}`;

export interface BuildRequest {
  readonly shape: GenerationShape;
  readonly make: MakeTables;
  readonly signal: AbortSignal | undefined;
}

export interface GenerationBuild {
  readonly generation: Generation;
  /** Call it between any two steps. Throws if another builder has taken over, or the signal's reason. */
  proceed(): void;
  /** Announces the generation, calls `catchUp`, which reads to the head of the store, and makes the generation live. */
  goLive(catchUp: () => Promise<void>): Promise<void>;
}

/**
 * Builds a new generation beside the live one, under the lease of builders, which is renewed in the background. Afterwards the
 * generation is removed, unless it has become live. Rejects with `RebuildRefused` if another builder has the lease.
 */
export async function buildGeneration<T>(
  control: ListControl,
  { shape, make, signal }: BuildRequest,
  build: (started: GenerationBuild) => Promise<T>,
): Promise<T> {
  const { projection } = shape;
  const leases = new PostgresLeases(control.database, LEASES);
  signal?.throwIfAborted();
  if (!(await leases.hold(buildLease(projection), LEASE_MS))) {
    throw new RebuildRefused(projection, 'another rebuild of it is running');
  }
  const ended = new AbortController();
  const lost = new AbortController();
  const renewal = renew(leases, projection, { ended: ended.signal, lost });
  const proceed = (): void => {
    signal?.throwIfAborted();
    lost.signal.throwIfAborted();
  };
  const assertStillBuilder = (isBuilder: boolean): void => {
    if (!isBuilder) throw superseded(projection);
  };
  let generation: Generation | undefined;
  try {
    const started = (generation = await control.startBuilding(shape, leases.holder, make));
    return await build({
      generation: started,
      proceed,
      async goLive(catchUp) {
        assertStillBuilder(await control.announce(started));
        // Events appended before now are read here. Writers of later events see the announcement (docs/adr/0042).
        await catchUp();
        proceed();
        assertStillBuilder(await control.swap(started));
      },
    });
  } finally {
    ended.abort();
    await renewal;
    // What can't be removed now, the leader of the projectors removes when the lease has run out.
    await releaseBuild(control, leases, { projection, generation }).catch(() => undefined);
  }
}

/** Removes generations that retired a while ago, and those whose builder died. */
export async function cleanUpGenerations(control: ListControl): Promise<void> {
  const leases = new PostgresLeases(control.database, LEASES);
  for (const generation of await control.generations()) {
    if (await isRemovable(leases, generation)) await control.remove(generation);
  }
}

async function isRemovable(leases: PostgresLeases, generation: Generation): Promise<boolean> {
  const { status, unchangedMs, builder, projection } = generation;
  if (status === 'Live') return false;
  if (status === 'Retired') return unchangedMs >= RETIRED_MS_MIN;
  return (await leases.holderOf(buildLease(projection))) !== builder;
}

/** Aborts `lost` when another process has the lease, or when it has run out while the database was away. */
async function renew(
  leases: PostgresLeases,
  projection: string,
  { ended, lost }: { readonly ended: AbortSignal; readonly lost: AbortController },
): Promise<void> {
  let heldUntil = performance.now() + LEASE_MS;
  while (!ended.aborted) {
    await setTimeout(RENEW_INTERVAL_MS, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    const requestedAt = performance.now();
    const isHeld = await leases.hold(buildLease(projection), LEASE_MS).catch(() => undefined);
    if (isHeld) heldUntil = requestedAt + LEASE_MS;
    if (isHeld === false || performance.now() > heldUntil) return lost.abort(superseded(projection));
  }
}

async function releaseBuild(
  control: ListControl,
  leases: PostgresLeases,
  { projection, generation }: { readonly projection: string; readonly generation: Generation | undefined },
): Promise<void> {
  if (generation) await control.abandon(generation);
  await leases.release(buildLease(projection));
}

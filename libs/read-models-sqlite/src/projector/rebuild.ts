import type { EventStore, HistoryWitness, Position } from '@tillstream/event-store';
import { setImmediate } from 'node:timers/promises';
import { BuildLease } from '../generations/build.lease.js';
import { cleanUpGenerations } from '../generations/generation.cleanup.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { isDamage } from '../damage/damage.errors.js';
import { newHolder } from '../generations/lease.holder.js';
import {
  type ProjectionName,
  type RebuildOptions,
  type RebuildProgress,
  readRowsPage,
  RebuildRefused,
  type RebuildResult,
  tableShape,
  StateCache,
} from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import { BulkLoad } from './bulk.load.js';
import { projectToEnd } from './page.projection.js';

const PAGE = 500;
/** Folded streams held in memory, a few kB each. */
const CACHED_STATES_MAX = 1_000;

export interface RebuildParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly control: ControlDatabase;
  /** Events between two turns of the event loop. Left out: 500. */
  readonly pageSize?: number;
}

/** A generation that was made from history and that nobody knows yet. */
export interface BuiltGeneration {
  readonly file: GenerationFile;
  readonly generation: Generation;
  /** Reads on to the end of what is in the store now. */
  catchUp(): Promise<void>;
  readonly expectedEvents: number | undefined;
}

/** Makes a new generation, catches up and swaps; see `ReadModels.rebuild`. */
export async function rebuild(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<RebuildResult> {
  const since = performance.now();
  return build(parts, projection, options, async ({ file, generation, catchUp, expectedEvents }) => {
    const { control } = parts;
    if (!control.announce(generation, Date.now())) throw superseded(projection);
    // Who appended before now is read here, who appends from now on writes here too (docs/adr/0017).
    await catchUp();
    const { events } = file.progress();
    const rows = file.count();
    options.onProgress?.(rebuildProgress('Swapping', events, expectedEvents));
    options.signal?.throwIfAborted();
    if (!control.swap(generation, Date.now())) throw superseded(projection);
    return {
      projection,
      generation: generation.generation,
      events,
      rows,
      durationMs: performance.now() - since,
    };
  });
}

/**
 * Folds all of history into a new generation, under the lease of builders, and hands it over with its indexes. Unless
 * it is live afterwards, it is removed. Its rows are safe on the disk when it is handed over.
 */
export async function build<T>(
  parts: RebuildParts,
  projection: ProjectionName,
  { signal, onProgress }: RebuildOptions,
  use: (built: BuiltGeneration) => Promise<T>,
): Promise<T> {
  const { control, store, pageSize = PAGE } = parts;
  const builder = newHolder();
  const lease = new BuildLease(control, builder, projection);
  const stillMine = (): void => {
    signal?.throwIfAborted();
    if (!lease.hold()) throw superseded(projection);
  };
  signal?.throwIfAborted();
  if (!lease.hold()) {
    throw new RebuildRefused(projection, 'another rebuild of it is running');
  }
  let generation: Generation | undefined;
  let file: GenerationFile | undefined;
  try {
    cleanUpGenerations(control, Date.now());
    const expectedEvents = expectedEventCount(control, projection);
    generation = control.startBuilding(tableShape(projection), builder, Date.now());
    const states = new StateCache(store, CACHED_STATES_MAX);
    const told = (phase: RebuildProgress['phase'], events: number): void => {
      stillMine();
      onProgress?.(rebuildProgress(phase, events, expectedEvents));
    };
    await load(parts, control.fileOf(generation), projection, states, told);
    const made = (file = GenerationFile.open(control.fileOf(generation), tableShape(projection)));
    const catchUp = async (): Promise<void> => {
      const between = (): void => told('CatchingUp', made.progress().events);
      const options = { limit: pageSize, now: Date.now, between };
      if ((await projectToEnd(store, made, states, options)) === 'Fenced') throw superseded(projection);
    };
    await catchUp();
    return await use({ file: made, generation, catchUp, expectedEvents });
  } finally {
    file?.close();
    if (generation) abandon(control, generation);
    lease.release();
  }
}

/** All of history into a file that nobody knows yet. */
async function load(
  { store, pageSize = PAGE }: RebuildParts,
  file: string,
  projection: ProjectionName,
  states: StateCache,
  told: (phase: RebuildProgress['phase'], events: number) => void,
): Promise<void> {
  const bulk = new BulkLoad(file, projection);
  try {
    let position: Position | undefined;
    let events = 0;
    let witness: HistoryWitness | undefined;
    for (let end = false; !end;) {
      const page = await readRowsPage(store, projection, states, { position, limit: pageSize });
      await bulk.write(page.rows);
      position = page.next;
      events += page.events;
      witness = page.witness ?? witness;
      told('Reading', events);
      ({ end } = page);
      await setImmediate();
    }
    const step = position === undefined ? undefined : { to: position, events, witness, now: Date.now() };
    await bulk.finish(step, () => told('Indexing', events));
  } finally {
    await bulk.end();
  }
}

/** A generation that became live is none of these. */
function abandon(control: ControlDatabase, built: Generation): void {
  for (const status of ['Building', 'Next'] as const) control.remove({ ...built, status }, Date.now());
}

/** How many events the live generation has handled: about as many are ahead. */
function expectedEventCount(control: ControlDatabase, projection: ProjectionName): number | undefined {
  const live = control.live(projection);
  if (!live || live.layout !== tableShape(projection).layout) return undefined;
  let file: GenerationFile | undefined;
  try {
    file = GenerationFile.open(control.fileOf(live), tableShape(projection));
    return file.progress().events || undefined;
  } catch (error) {
    // It is made again whatever the live one is like.
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    file?.close();
  }
}

function superseded(projection: ProjectionName): RebuildRefused {
  return new RebuildRefused(projection, 'this rebuild was silent for too long, and another took its place');
}

export function rebuildProgress(
  phase: RebuildProgress['phase'],
  events: number,
  expectedEvents: number | undefined,
): RebuildProgress {
  return { phase, events, ...(expectedEvents !== undefined && { expectedEvents }) };
}

import { setImmediate } from 'node:timers/promises';
import type { EventStore, HistoryWitness, Position } from '@tillstream/event-store';
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
import { isDamage } from '../damage/damage.errors.js';
import { BuildLease } from '../generations/build.lease.js';
import { cleanUpGenerations } from '../generations/generation.cleanup.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { newHolder } from '../generations/lease.holder.js';
import { GenerationFile } from '../tables/generation.file.js';
import { BulkLoad } from './bulk.load.js';
import { projectToEnd } from './page.projection.js';

const PAGE_EVENTS = 500;
/** Folded streams in memory, a few kB each. */
const CACHED_STATES_MAX = 1_000;

export interface RebuildParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly control: ControlDatabase;
  /** Events handled without a turn of the event loop. Default: 500. */
  readonly pageSize?: number;
}

/** A generation that was built from history and is not announced. */
export interface BuiltGeneration {
  readonly file: GenerationFile;
  readonly generation: Generation;
  /** Projects up to the head that the store has now. */
  catchUp(): Promise<void>;
  readonly expectedEvents: number | undefined;
}

type ReportProgress = (phase: RebuildProgress['phase'], events: number) => void;

/** Makes a new generation, catches up and swaps; see `ReadModels.rebuild`. */
export async function rebuild(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<RebuildResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async ({ file, generation, catchUp, expectedEvents }) => {
    const { control } = parts;
    if (!control.announce(generation, Date.now())) throw superseded(projection);
    // Events appended before now are read here. Writers of later events see the announcement (docs/adr/0017).
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
      durationMs: performance.now() - startedAt,
    };
  });
}

/**
 * Folds all history into a new generation, under the lease of builders, and passes it to `use` when it is durable and has
 * its indexes. Afterwards it is removed, unless it has become live.
 */
export async function build<T>(
  parts: RebuildParts,
  projection: ProjectionName,
  { signal, onProgress }: RebuildOptions,
  use: (built: BuiltGeneration) => Promise<T>,
): Promise<T> {
  const { control, store, pageSize = PAGE_EVENTS } = parts;
  const shape = tableShape(projection);
  const builder = newHolder();
  const lease = new BuildLease(control, builder, projection);
  signal?.throwIfAborted();
  if (!lease.hold()) throw new RebuildRefused(projection, 'another rebuild of it is running');
  let generation: Generation | undefined;
  let file: GenerationFile | undefined;
  try {
    cleanUpGenerations(control, Date.now());
    const expectedEvents = expectedEventCount(control, projection);
    generation = control.startBuilding(shape, builder, Date.now());
    const path = control.fileOf(generation);
    const states = new StateCache(store, CACHED_STATES_MAX);
    const report: ReportProgress = (phase, events) => {
      signal?.throwIfAborted();
      if (!lease.hold()) throw superseded(projection);
      onProgress?.(rebuildProgress(phase, events, expectedEvents));
    };
    await load(parts, path, states, { projection, report });
    const built = (file = GenerationFile.open(path, shape));
    const catchUp = async (): Promise<void> => {
      const onPage = (): void => report('CatchingUp', built.progress().events);
      const options = { limit: pageSize, now: Date.now, onPage };
      if ((await projectToEnd(store, built, states, options)) === 'Fenced') throw superseded(projection);
    };
    await catchUp();
    return await use({ file: built, generation, catchUp, expectedEvents });
  } finally {
    file?.close();
    if (generation) control.abandon(generation, Date.now());
    lease.release();
  }
}

/** Loads all history into a new file. */
async function load(
  { store, pageSize = PAGE_EVENTS }: RebuildParts,
  file: string,
  states: StateCache,
  { projection, report }: { readonly projection: ProjectionName; readonly report: ReportProgress },
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
      report('Reading', events);
      ({ end } = page);
      await setImmediate();
    }
    const step = position === undefined ? undefined : { to: position, events, witness, now: Date.now() };
    await bulk.finish(step, () => report('Indexing', events));
  } finally {
    await bulk.end();
  }
}

/** The number of events that the live generation has handled; undefined if it can't be read. */
function expectedEventCount(control: ControlDatabase, projection: ProjectionName): number | undefined {
  const live = control.live(projection);
  const shape = tableShape(projection);
  if (!live || live.layout !== shape.layout) return undefined;
  let file: GenerationFile | undefined;
  try {
    file = GenerationFile.open(control.fileOf(live), shape);
    return file.progress().events || undefined;
  } catch (error) {
    // The rebuild replaces a damaged generation.
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    file?.close();
  }
}

function superseded(projection: ProjectionName): RebuildRefused {
  return new RebuildRefused(projection, 'this rebuild was silent for too long, and another took its place');
}

function rebuildProgress(
  phase: RebuildProgress['phase'],
  events: number,
  expectedEvents: number | undefined,
): RebuildProgress {
  return { phase, events, ...(expectedEvents !== undefined && { expectedEvents }) };
}

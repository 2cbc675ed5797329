import { setImmediate } from 'node:timers/promises';
import type { EventStore, HistoryWitness, Position } from '@tillstream/event-store';
import {
  type ProjectionName,
  type RebuildOptions,
  type RebuildProgress,
  readRowsPage,
  type RebuildResult,
  type RowsPage,
  tableShape,
  StateCache,
} from '@tillstream/read-models';
import { isDamage } from '../damage/file.damage.js';
import type { ControlDatabase } from '../generations/control.database.js';
import {
  buildGeneration,
  cleanUpGenerations,
  superseded,
  type GenerationBuild,
} from '../generations/generation.build.js';
import { GenerationFile } from '../tables/generation.file.js';
import { ProgressTable } from '../tables/progress.table.js';
import { withFile } from '../tables/sqlite.dialect.js';
import { BulkLoad } from './bulk.load.js';
import { projectToEnd } from './page.projection.js';

const PAGE_EVENTS = 500;
/** About the rows of a page: one event of a settlement's page makes 50. */
const PAGE_ROWS = 2_000;
const FIRST_PAGE_EVENTS = 40;
/** Folded streams in memory, a few kB each. */
const CACHED_STATES_MAX = 1_000;

export interface RebuildParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly control: ControlDatabase;
  /** Events handled at most without a turn of the event loop. Default: 500. */
  readonly pageSize?: number;
}

type ReportProgress = (phase: RebuildProgress['phase'], events: number) => void;

/** A generation that was built from history and is not announced. */
interface BuiltGeneration extends Pick<GenerationBuild, 'generation' | 'goLive'> {
  readonly file: GenerationFile;
  /** Projects up to the head that the store has now. */
  catchUp(): Promise<void>;
  readonly report: ReportProgress;
}

/** Makes a new generation, catches up and swaps; see `ReadModels.rebuild`. */
export function rebuild(
  parts: RebuildParts,
  projection: ProjectionName,
  options: RebuildOptions = {},
): Promise<RebuildResult> {
  const startedAt = performance.now();
  return build(parts, projection, options, async ({ file, generation, catchUp, goLive, report }) => {
    let [events, rows] = [0, 0];
    await goLive(async () => {
      await catchUp();
      // Other processes write to the file once it is live.
      [events, rows] = [file.progress().events, file.count()];
      report('Swapping', events);
    });
    const durationMs = performance.now() - startedAt;
    return { projection, generation: generation.generation, events, rows, durationMs };
  });
}

/**
 * Folds all history into a new generation, under the lease of builders, and passes it to `use` when it is durable and has
 * its indexes. Afterwards it is removed, unless it has become live.
 */
export async function build<T>(
  { control, store, pageSize = PAGE_EVENTS }: RebuildParts,
  projection: ProjectionName,
  { signal, onProgress }: RebuildOptions,
  use: (built: BuiltGeneration) => Promise<T>,
): Promise<T> {
  const shape = tableShape(projection);
  return buildGeneration(control, shape, signal, async ({ generation, path, proceed, goLive }) => {
    cleanUpGenerations(control);
    const expectedEvents = expectedEventCount(control, projection);
    const report: ReportProgress = (phase, events) => {
      proceed();
      onProgress?.({ phase, events, ...(expectedEvents !== undefined && { expectedEvents }) });
    };
    const states = new StateCache(store, CACHED_STATES_MAX);
    const readPage: ReadPage = (position, wanted) =>
      readRowsPage(store, projection, states, { position, limit: Math.min(wanted, pageSize) });
    await load(new BulkLoad(path, projection), readPage, report);
    const file = GenerationFile.open(path, shape);
    try {
      const catchUp = async (): Promise<void> => {
        const onPage = (): void => report('CatchingUp', file.progress().events);
        const result = await projectToEnd(store, file, states, { limit: pageSize, onPage });
        if (result === 'Fenced') throw superseded(projection);
      };
      await catchUp();
      return await use({ generation, file, catchUp, goLive, report });
    } finally {
      file.close();
    }
  });
}

type ReadPage = (position: Position | undefined, eventsWanted: number) => ReturnType<typeof readRowsPage>;

/** Loads all history into a new file. The pages have fewer events where those make many rows, so that memory is bounded. */
async function load(bulk: BulkLoad, readPage: ReadPage, report: ReportProgress): Promise<void> {
  try {
    let position: Position | undefined;
    let events = 0;
    let wanted = FIRST_PAGE_EVENTS;
    let witness: HistoryWitness | undefined;
    for (let end = false; !end;) {
      const page = await readPage(position, wanted);
      await bulk.write(page.rows);
      wanted = nextPageEvents(wanted, page);
      position = page.next;
      events += page.events;
      witness = page.witness ?? witness;
      report('Reading', events);
      ({ end } = page);
      await setImmediate();
    }
    const step = position === undefined ? undefined : { to: position, events, witness };
    await bulk.finish(step, () => report('Indexing', events));
  } finally {
    await bulk.end();
  }
}

/** Twice as many as before at most, so that few pages have more rows than meant. */
function nextPageEvents(before: number, { events, rows }: Pick<RowsPage, 'events' | 'rows'>): number {
  const fitting = rows.length === 0 ? PAGE_EVENTS : Math.floor((events * PAGE_ROWS) / rows.length);
  return Math.max(1, Math.min(fitting, 2 * before, PAGE_EVENTS));
}

/** The number of events that the live generation has handled; undefined if it can't be read. */
function expectedEventCount(control: ControlDatabase, projection: ProjectionName): number | undefined {
  const live = control.live(projection);
  if (live?.layout !== tableShape(projection).layout) return undefined;
  try {
    return withFile(control.fileOf(live), 'reader', (db) => new ProgressTable(db).read().events || undefined);
  } catch (error) {
    // The rebuild replaces a damaged generation.
    if (isDamage(error)) return undefined;
    throw error;
  }
}

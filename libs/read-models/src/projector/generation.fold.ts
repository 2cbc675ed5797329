import type { EventStore, Position } from '@tillstream/event-store';
import { readRowsPage, type RowsPage } from '../projections/rows.page.js';
import { StateCache } from '../projections/state.cache.js';
import { RebuildRefused } from '../read-models.errors.js';
import type { ProjectionName } from '../read-models.types.js';
import type { RebuildOptions, RebuildProgress, RebuildResult } from '../rebuild.types.js';
import { loadHistory, type BulkWriter } from './history.load.js';
import type { Eventually, ListTable } from './list.table.js';
import { projectToEnd } from './page.projection.js';

/** Folded streams in memory, a few kB each. */
const CACHED_STATES_MAX = 1_000;

export interface GenerationFoldParts {
  readonly store: Pick<EventStore, 'readAll' | 'readHeaders' | 'readStream'>;
  readonly projection: ProjectionName;
  /** Events handled at most without a turn of the event loop. */
  readonly pageSize: number;
  /** Those that the live generation has handled, if it can be read. */
  readonly expectedEvents: number | undefined;
  readonly onProgress: RebuildOptions['onProgress'];
  /** Called with each report. Throws if the build is to end. */
  readonly proceed: () => void;
  /** A turn of the event loop. */
  readonly pause: () => Promise<unknown>;
}

/** Folds history into a new generation: all of it, and later what was appended meanwhile. */
export class GenerationFold {
  readonly #states: StateCache;
  #eventsRead = 0;

  constructor(private readonly parts: GenerationFoldParts) {
    this.#states = new StateCache(parts.store, CACHED_STATES_MAX);
  }

  report(phase: RebuildProgress['phase'], events = this.#eventsRead): void {
    const { proceed, onProgress, expectedEvents } = this.parts;
    proceed();
    onProgress?.({ phase, events, ...(expectedEvents !== undefined && { expectedEvents }) });
  }

  async load(bulk: BulkWriter): Promise<void> {
    const { store, projection, pageSize, pause } = this.parts;
    const readPage = (position: Position | undefined, wanted: number): Promise<RowsPage> =>
      readRowsPage(store, projection, this.#states, { position, limit: Math.min(wanted, pageSize) });
    await loadHistory(readPage, bulk, async (phase, events) => {
      this.#eventsRead = events;
      this.report(phase);
      await pause();
    });
  }

  /** Projects up to the head that the store has now. Rejects with `RebuildRefused` if another builder has taken over. */
  async catchUp(table: ListTable): Promise<void> {
    const { store, projection, pageSize, pause } = this.parts;
    const afterPage = async (): Promise<void> => {
      this.report('CatchingUp', (await table.progress()).events);
      await pause();
    };
    const result = await projectToEnd(store, table, this.#states, { limit: pageSize, afterPage });
    if (result === 'Fenced') throw superseded(projection);
  }
}

/** A generation that was folded from history and is not announced. */
export interface FoldedGeneration<Table extends ListTable> {
  readonly generation: { readonly generation: number };
  readonly table: Table;
  readonly fold: GenerationFold;
  /** Announces the generation, calls `catchUp`, and makes the generation live. */
  goLive(catchUp: () => Promise<void>): Promise<void>;
}

/** Makes a folded generation live, with all that the store has by then. */
export async function swapIn(
  folded: FoldedGeneration<ListTable & { count(): Eventually<number> }>,
): Promise<Omit<RebuildResult, 'durationMs'>> {
  const { generation, table, fold } = folded;
  let [events, rows] = [0, 0];
  await folded.goLive(async () => {
    await fold.catchUp(table);
    // Other processes write to it once it is live.
    [events, rows] = [(await table.progress()).events, await table.count()];
    fold.report('Swapping', events);
  });
  return { projection: table.shape.projection, generation: generation.generation, events, rows };
}

export function superseded(projection: string): RebuildRefused {
  return new RebuildRefused(projection, 'this rebuild was silent for too long, and another took its place');
}

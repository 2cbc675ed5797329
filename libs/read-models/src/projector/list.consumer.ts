import type { Checkpoint, ConsumerPage, HandleResult, HeaderConsumer } from '@tillstream/event-consumers';
import { EventStoreError, type EventHeader, type EventStore } from '@tillstream/event-store';
import { projectionCategories } from '../projections/projection.registry.js';
import { StateCache } from '../projections/state.cache.js';
import type { ProjectionName, ReadModelsLog } from '../read-models.types.js';
import type { Eventually, ListTable } from './list.table.js';
import { rowsOfHeaders } from './page.projection.js';

/** Appending processes write their rows through. The projector adds a row that they could not write after this time. */
const WAKE_UP_DELAY_MS = 1_000;
/** Folded streams in memory for each list, a few kB each. */
const CACHED_STATES_MAX = 2_000;
const OTHER_HISTORY =
  'it was made from events that the store does not have: an older copy of it was restored';

/** The live generation of a list. */
export interface LiveList {
  readonly table: ListTable;
  /** Why no events are projected into it; undefined if they are. */
  readonly halted: string | undefined;
  /** Records why it has halted, for all processes; undefined: it has resumed. */
  readonly halt: (reason: string | undefined) => Eventually<void>;
}

/** The generations of one list, for its projector. */
export interface ProjectedList {
  /**
   * Runs `work` on the live generation. Resolves to `otherwise` if there is none, if another version of the program or
   * another store made it, or if it turns out to be damaged.
   */
  withLive<T>(otherwise: T, work: (live: LiveList) => Promise<T>): Promise<T>;
  /** Replaces the live generation with an empty one. False if another version of the program or another store made it. */
  startAnew(): Promise<boolean>;
  /** Whether the error of a table passes by itself. */
  isTemporary(error: unknown): boolean;
}

export interface ListConsumerParts {
  readonly store: EventStore;
  readonly list: ProjectedList;
  readonly log: ReadModelsLog;
  readonly pageSize: number;
}

/**
 * One list as a consumer: writes the rows that were not written through. It reads the events of a page only if a row of the
 * page is missing; otherwise it only compares revisions.
 */
export class ListConsumer implements HeaderConsumer {
  readonly reads = 'Headers';
  readonly categories: readonly string[];
  readonly wakeUpDelayMs = WAKE_UP_DELAY_MS;
  readonly pageSize: number;
  readonly #states: StateCache;

  constructor(
    readonly name: ProjectionName,
    private readonly parts: ListConsumerParts,
  ) {
    this.categories = projectionCategories(name);
    this.pageSize = parts.pageSize;
    this.#states = new StateCache(parts.store, CACHED_STATES_MAX);
  }

  checkpoint(): Promise<Checkpoint | undefined> {
    return this.parts.list.withLive<Checkpoint | undefined>(undefined, async ({ table }) => {
      const { position, witness } = await table.progress();
      return position === undefined ? undefined : { position, witness };
    });
  }

  handle(page: ConsumerPage<EventHeader>): Promise<HandleResult> {
    return this.parts.list.withLive<HandleResult>({ kind: 'Paused' }, (live) => this.#handle(live, page));
  }

  /** The list has rows of events that the store does not have. Until the new list is complete, its status says so. */
  async reset(): Promise<void> {
    if (!(await this.parts.list.startAnew())) return;
    this.parts.log.info('list-started-anew', { projection: this.name, reason: OTHER_HISTORY });
  }

  /** The errors of the store and of the tables are temporary. An event that can't be folded needs a newer program. */
  isPermanent(error: unknown): boolean {
    return !(error instanceof EventStoreError || this.parts.list.isTemporary(error));
  }

  /** Where all processes see it. */
  async recordHalt(reason: string): Promise<void> {
    await this.parts.list.withLive(undefined, async ({ halted, halt }) => {
      if (halted === reason) return;
      await halt(reason);
      this.parts.log.failed('projection-halted', { projection: this.name, reason });
    });
  }

  /** Moves the checkpoint over events of other categories, so that the next start and the query for the lag skip them. */
  async advancePastOtherCategories(): Promise<void> {
    await this.parts.list.withLive(undefined, async ({ table }) => {
      const { position } = await table.progress();
      const { headers, next } = await this.parts.store.readHeaders({
        ...(position !== undefined && { after: position }),
        categories: this.categories,
        limit: 1,
      });
      if (headers.length > 0 || next === undefined || next === position) return;
      await table.writeStep(position, { to: next, events: 0, witness: undefined }, []);
    });
  }

  async #handle({ table, halted, halt }: LiveList, page: ConsumerPage<EventHeader>): Promise<HandleResult> {
    const { rows, events, witness } = await rowsOfHeaders(this.parts.store, table, this.#states, page);
    const { position: to } = witness;
    if (!(await table.writeStep(page.from, { to, events, witness }, rows))) return { kind: 'Fenced' };
    if (halted !== undefined) {
      await halt(undefined);
      this.parts.log.info('projection-goes-on', { projection: this.name });
    }
    return { kind: 'Moved', to };
  }
}

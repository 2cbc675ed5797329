import { EventStoreError, type EventHeader, type EventStore } from '@tillstream/event-store';
import type { Checkpoint, ConsumerPage, HandleResult, HeaderConsumer } from '@tillstream/event-consumers';
import {
  projectionCategories,
  tableShape,
  StateCache,
  type ProjectionName,
  type ReadModelsLog,
} from '@tillstream/read-models';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import { canWrite, type OpenGenerations } from '../generations/open.generations.js';
import { GenerationFile } from '../tables/generation.file.js';
import { rowsOfHeaders } from './page.projection.js';

/** Appending processes write their rows through. The projector adds a row that they could not write after this time. */
const WAKE_UP_DELAY_MS = 1_000;
/** Folded streams in memory for each list, a few kB each. */
const CACHED_STATES_MAX = 2_000;
const OTHER_HISTORY =
  'it was made from events that the store does not have: an older copy of it was restored';

interface ListConsumerParts {
  readonly store: EventStore;
  readonly control: ControlDatabase;
  readonly open: OpenGenerations;
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
    return this.#onLive(undefined, async (live) => {
      const { position, witness } = this.parts.open.fileOf(live).progress();
      return position === undefined ? undefined : { position, witness };
    });
  }

  handle(page: ConsumerPage<EventHeader>): Promise<HandleResult> {
    return this.#onLive<HandleResult>({ kind: 'Paused' }, (live) => this.#handle(live, page));
  }

  /** The list has rows of events that the store does not have. Until the new list is complete, its status says so. */
  async reset(): Promise<void> {
    const live = this.#live();
    if (!live) return;
    const shape = tableShape(this.name);
    this.parts.control.replaceWithEmpty(live, shape, (file) => GenerationFile.create(file, shape).close());
    this.parts.log.info('list-started-anew', { projection: this.name, reason: OTHER_HISTORY });
  }

  /** The errors of the store and of SQLite are temporary. An event that can't be folded needs a newer program. */
  isPermanent(error: unknown): boolean {
    const { code } = error as { readonly code?: unknown };
    const isTemporary =
      error instanceof EventStoreError || (typeof code === 'string' && code.startsWith('SQLITE_'));
    return !isTemporary;
  }

  /** In the control database, so that all processes see it. */
  recordHalt(reason: string): void {
    const live = this.#live();
    if (!live || live.halted === reason) return;
    this.parts.control.halt(live.generation, reason);
    this.parts.log.failed('projection-halted', { projection: this.name, reason });
  }

  /** Moves the checkpoint over events of other categories, so that the next start and the query for the lag skip them. */
  async advancePastOtherCategories(): Promise<void> {
    const live = this.#live();
    if (!live) return;
    const file = this.parts.open.fileOf(live);
    const { position } = file.progress();
    const { headers, next } = await this.parts.store.readHeaders({
      ...(position !== undefined && { after: position }),
      categories: this.categories,
      limit: 1,
    });
    if (headers.length > 0 || next === undefined || next === position) return;
    file.writeStep(position, { to: next, events: 0, witness: undefined }, []);
  }

  async #handle(live: Generation, page: ConsumerPage<EventHeader>): Promise<HandleResult> {
    const file = this.parts.open.fileOf(live);
    const { rows, events, witness } = await rowsOfHeaders(this.parts.store, file, this.#states, page);
    const { position: to } = witness;
    if (!file.writeStep(page.from, { to, events, witness }, rows)) return { kind: 'Fenced' };
    if (live.halted !== undefined) {
      this.parts.control.halt(live.generation, undefined);
      this.parts.log.info('projection-goes-on', { projection: this.name });
    }
    return { kind: 'Moved', to };
  }

  /** Resolves to `otherwise` if nothing is live, or if the file is damaged; it is then set aside. */
  async #onLive<T>(otherwise: T, work: (live: Generation) => Promise<T>): Promise<T> {
    const live = this.#live();
    if (!live) return otherwise;
    try {
      return await work(live);
    } catch (error) {
      if (setAsideIfDamaged(this.parts.control, live, error)) return otherwise;
      throw error;
    }
  }

  /** Undefined if there is no live generation, or if another version of the program or another store made it. */
  #live(): Generation | undefined {
    const { control } = this.parts;
    const live = control.live(this.name);
    return live && canWrite(live) && live.source === control.source ? live : undefined;
  }
}

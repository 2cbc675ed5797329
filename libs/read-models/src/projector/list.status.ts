import { holdsWitness, type EventHeader, type EventStore, type Position } from '@tillstream/event-store';
import { projectionCategories, PROJECTIONS } from '../projections/projection.registry.js';
import type { ProjectionName } from '../read-models.types.js';
import { LAG_EVENTS_MAX, type ProjectionStatus } from '../rebuild.types.js';
import type { ListProgress } from './list.progress.js';

/** What an adapter knows of one list. */
export interface ListState {
  /** Of the live generation; undefined if there is none, or another store made it. */
  readonly progress: ListProgress | undefined;
  /** Why no events are projected into it; undefined if they are. */
  readonly halted: string | undefined;
  readonly isRebuilding: boolean;
}

export interface ListStatusParts {
  readonly store: Pick<EventStore, 'head' | 'readHeaders' | 'readStream' | 'comparePositions'>;
  readonly stateOf: (projection: ProjectionName) => Promise<ListState>;
  /** Waits before a list is looked at again. */
  readonly pause: () => Promise<unknown>;
}

const NO_PROGRESS: Pick<ListProgress, 'position' | 'updatedAt'> = { position: undefined, updatedAt: 0 };

/** How far the lists are behind the store. */
export class ListStatus {
  constructor(private readonly parts: ListStatusParts) {}

  /** As `ReadModels.status`. */
  all(): Promise<readonly ProjectionStatus[]> {
    return Promise.all(PROJECTIONS.map((name) => this.#statusOf(name)));
  }

  /** As `ReadModels.waitUntilCaughtUp`. */
  async waitUntilCaughtUp(head?: Position): Promise<void> {
    const upTo = head ?? (await this.parts.store.head());
    if (upTo === undefined) return;
    await Promise.all(PROJECTIONS.map((name) => this.#waitForPosition(name, upTo)));
  }

  async #statusOf(name: ProjectionName): Promise<ProjectionStatus> {
    const state = await this.parts.stateOf(name);
    const { halted, isRebuilding } = state;
    const { position, updatedAt } = await this.#progressIn(state);
    const lagEvents = (await this.#headersAfter(name, position, LAG_EVENTS_MAX)).length;
    return {
      name,
      status: halted !== undefined ? 'Halted' : isRebuilding ? 'Rebuilding' : 'Live',
      ...(halted !== undefined && { reason: halted }),
      ...(position !== undefined && { position }),
      lagEvents,
      updatedAt: new Date(updatedAt).toISOString(),
    };
  }

  async #waitForPosition(name: ProjectionName, head: Position): Promise<void> {
    for (;;) {
      const state = await this.parts.stateOf(name);
      const { position } = await this.#progressIn(state);
      if (await this.#hasHandled(name, position, head)) return;
      if (state.halted !== undefined) return;
      await this.parts.pause();
    }
  }

  /** The checkpoint may lie before `head` if no events of the projection are between them. */
  async #hasHandled(name: ProjectionName, position: Position | undefined, head: Position): Promise<boolean> {
    const { store } = this.parts;
    if (position !== undefined && store.comparePositions(position, head) >= 0) return true;
    const [next] = await this.#headersAfter(name, position, 1);
    return next === undefined || store.comparePositions(next.position, head) > 0;
  }

  async #headersAfter(
    name: ProjectionName,
    position: Position | undefined,
    limit: number,
  ): Promise<readonly EventHeader[]> {
    const after = position !== undefined && { after: position };
    const categories = projectionCategories(name);
    return (await this.parts.store.readHeaders({ ...after, categories, limit })).headers;
  }

  /** None for a generation that was made from another history: an older copy of the store was restored. */
  async #progressIn({ progress }: ListState): Promise<Pick<ListProgress, 'position' | 'updatedAt'>> {
    if (!progress) return NO_PROGRESS;
    const { witness } = progress;
    return !witness || (await holdsWitness(this.parts.store, witness)) ? progress : NO_PROGRESS;
  }
}

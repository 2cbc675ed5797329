import type { EventStore } from '@tillstream/event-store';
import type { OrderedProjection, OrderedReadModel } from '../projections/ordered.projection.js';
import type { ReadModels, ReadModelsLog } from '../read-models.types.js';

/** One storage of an adapter, empty at first. */
export interface ListsUnderTest {
  /** Each call opens the same lists, as another process would. The caller stops them. */
  open(options: {
    readonly store: EventStore;
    readonly source?: string;
    readonly log?: ReadModelsLog;
  }): Promise<ReadModels>;
  /** Each call opens the same tables, as another process would. The caller closes them. */
  openOrdered<Tables>(
    store: EventStore,
    projection: OrderedProjection<Tables>,
  ): Promise<OrderedReadModel<Tables>>;
  /** Called after everything is stopped and closed. */
  remove(): Promise<void> | void;
}

/** Each call gives a new storage. */
export type OpenLists = () => ListsUnderTest;

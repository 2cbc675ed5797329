import type { EventStore } from '@tillstream/event-store';
import type { OrderedProjection, OrderedReadModel } from '../projections/ordered.projection.js';
import type { ReadModels, ReadModelsLog } from '../read-models.types.js';

/** One place of an adapter's tables, empty at first. */
export interface ListsUnderTest {
  /** Opens the same lists each time, as another process does. The caller stops them. */
  open(options: {
    readonly store: EventStore;
    readonly source?: string;
    readonly log?: ReadModelsLog;
  }): Promise<ReadModels>;
  /** Opens the same tables each time, as another process does. The caller closes them. */
  openOrdered<Tables>(
    store: EventStore,
    projection: OrderedProjection<Tables>,
  ): Promise<OrderedReadModel<Tables>>;
  /** All is stopped and closed before. */
  remove(): Promise<void> | void;
}

/** A new place each time. */
export type OpenLists = () => ListsUnderTest;

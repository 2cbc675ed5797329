import type { EventStore } from '@tillstream/event-store';
import type { OrderedProjection, OrderedReadModel } from '../projections/ordered.projection.js';
import type { TableRow, TableShape } from '../projections/table.shape.js';
import type { ProjectionName, ReadModels, ReadModelsLog } from '../read-models.types.js';

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
  /** Makes an empty generation live, as a program with this shape would. Its tables are those of this program. */
  goLive(shape: TableShape): Promise<void>;
  /** Overwrites the first live row of a list. @returns the row before */
  forge(projection: ProjectionName, change: (row: TableRow) => TableRow): Promise<TableRow>;
  /** Called after everything is stopped and closed. */
  remove(): Promise<void> | void;
}

/** Each call gives a new storage. */
export type OpenLists = () => ListsUnderTest;

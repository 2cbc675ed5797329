import type { EventStore } from '@tillstream/event-store';
import type { ReadModelsLog } from '@tillstream/read-models';

export interface ReadModelsOptions {
  /** The directory of the lists, such as `<data dir>/read-models`, on a local disk. Created if it is missing. */
  readonly directory: string;
  readonly store: EventStore;
  /** The name of the store: lists that were made from another store are rebuilt. Default: always the same name. */
  readonly source?: string;
  /** Where projections run. Default: on the calling thread, in small pages. */
  readonly projectorThread?: ProjectorThread;
  readonly log?: ReadModelsLog;
  /**
   * For commands that only read: damaged files stay where they are, and queries on them reject. Default: damaged files are
   * set aside, and their lists are rebuilt.
   */
  readonly keepDamaged?: boolean;
}

/** A store can't be passed to a thread, so the thread opens its own. */
export interface ProjectorThread {
  /** The built file of a module that does nothing but call `serveProjector(open)`. */
  readonly file: URL;
  /** Passed to that module's `open`: where the store is. Must be cloneable. */
  readonly store: unknown;
}

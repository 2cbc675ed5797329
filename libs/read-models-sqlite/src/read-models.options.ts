import type { EventStore } from '@tillstream/event-store';
import type { ReadModelsLog } from '@tillstream/read-models';

export interface ReadModelsOptions {
  /** Their own directory, such as `<data dir>/read-models`; made if it is missing. On a local disk. */
  readonly directory: string;
  readonly store: EventStore;
  /** A name of the store: lists that were made from another one are made anew. Left out: always the same one. */
  readonly source?: string;
  /** Where projections run. Left out: on the calling thread, in small pages. */
  readonly projectorThread?: ProjectorThread;
  readonly log?: ReadModelsLog;
  /**
   * Damaged files stay where they are, and what is asked of them rejects: for commands that only look. Left out: they are
   * set aside, and their lists are made again.
   */
  readonly keepDamaged?: boolean;
}

/** A thread can't be handed a store: it opens one of its own. */
export interface ProjectorThread {
  /** The built file of a module that does nothing but call `serveProjector(open)`. */
  readonly file: URL;
  /** What that module's `open` is given: where the store is. Must be cloneable. */
  readonly store: unknown;
}

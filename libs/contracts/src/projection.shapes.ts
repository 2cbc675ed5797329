export type ProjectionState = 'Live' | 'Rebuilding' | 'Halted';

/** A projection, which makes a list from the events (`docs/spec/service.md#projections`). */
export interface Projection {
  name: string;
  status: ProjectionState;
  /** *ext*: why the projection halted. */
  reason?: string;
  /** Of the last handled event; only the event store can read it. Absent before the first event. */
  position?: string;
  /** Events that are not handled yet; 1000 means 1000 or more. */
  lagEvents: number;
  /** The last time that the position moved. */
  updatedAt: string;
}

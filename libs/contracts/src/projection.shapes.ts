export type ProjectionState = 'Live' | 'Rebuilding' | 'Halted';

/** A list that is made from the events (`docs/spec/service.md#projections`). */
export interface Projection {
  name: string;
  status: ProjectionState;
  /** *ext*: why it halted. */
  reason?: string;
  /** Of the last event handled; it means something to the event store only. Absent before the first. */
  position?: string;
  /** Events not handled yet; 1000 stands for that or more. */
  lagEvents: number;
  /** When it last moved on. */
  updatedAt: string;
}

import type { HistoryWitness, Position } from '@tillstream/event-store';

/** How far a generation has read history. */
export interface ListProgress {
  readonly position: Position | undefined;
  /** Events handled in total. */
  readonly events: number;
  /** Ms since 1970, real time: when the checkpoint last moved. */
  readonly updatedAt: number;
  /** The last handled event. `position` may lie after it. */
  readonly witness: HistoryWitness | undefined;
}

/** A move of the checkpoint. */
export interface Advance {
  readonly to: Position;
  readonly events: number;
  /** The last event of the step; if undefined, the stored witness stays. */
  readonly witness: HistoryWitness | undefined;
}

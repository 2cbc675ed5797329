import type { Position } from '@tillstream/event-store';
import type { ProjectionName } from './read-models.types.js';

export interface RebuildOptions {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** When it aborts, the rebuild ends and its files are removed. */
  readonly signal?: AbortSignal;
}

export interface RebuildProgress {
  readonly phase: 'Reading' | 'Indexing' | 'CatchingUp' | 'Swapping';
  /** Events handled so far. */
  readonly events: number;
  /** The number of events that the live generation has handled. Absent if it has handled none or can't be read. */
  readonly expectedEvents?: number;
}

/** A rebuild that this process is doing. */
export interface RunningRebuild extends RebuildProgress {
  readonly projection: ProjectionName;
}

export interface RebuildResult {
  readonly projection: ProjectionName;
  readonly generation: number;
  readonly events: number;
  readonly rows: number;
  readonly durationMs: number;
}

/** `rows`: the number of rows compared. */
export interface CheckResult extends Pick<RebuildResult, 'projection' | 'rows' | 'durationMs'> {
  /** Absent if all rows are equal. */
  readonly difference?: RowDifference;
}

/** The first row, in the order of ids, that differs between the live and the rebuilt generation. */
export interface RowDifference {
  readonly id: string;
  readonly columns: readonly string[];
  /** Undefined if the row is missing. */
  readonly live: Readonly<Record<string, string | number | null>> | undefined;
  readonly rebuilt: Readonly<Record<string, string | number | null>> | undefined;
}

export interface ProjectionStatus {
  readonly name: ProjectionName;
  readonly status: 'Live' | 'Rebuilding' | 'Halted';
  /** Why it halted. */
  readonly reason?: string;
  /** Of the last event handled; absent before the first. */
  readonly position?: Position;
  /** Events not handled yet, counted up to `LAG_EVENTS_MAX`. */
  readonly lagEvents: number;
  /** When the checkpoint last moved, RFC 3339, real time. */
  readonly updatedAt: string;
}

export const LAG_EVENTS_MAX = 1_000;

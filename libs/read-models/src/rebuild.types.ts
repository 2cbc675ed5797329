import type { Position } from '@tillstream/event-store';
import type { ProjectionName } from './read-models.types.js';

/* Making projections anew, and how they are. */

export interface RebuildOptions {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Aborted: the rebuild ends, and what it made is removed. */
  readonly signal?: AbortSignal;
}

export interface RebuildProgress {
  readonly phase: 'Reading' | 'Indexing' | 'CatchingUp' | 'Swapping';
  /** Events handled so far. */
  readonly events: number;
  /** As many as the live generation has handled; absent where there is none to go by. */
  readonly expectedEvents?: number;
}

export interface RebuildResult {
  readonly projection: ProjectionName;
  readonly generation: number;
  readonly events: number;
  readonly rows: number;
  readonly durationMs: number;
}

export interface CheckResult {
  readonly projection: ProjectionName;
  /** Compared. */
  readonly rows: number;
  readonly durationMs: number;
  /** Absent: they are equal. */
  readonly difference?: RowDifference;
}

/** The first row, in the order of ids, that is not the same on both sides. */
export interface RowDifference {
  readonly id: string;
  readonly columns: readonly string[];
  /** Undefined where it is missing. */
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

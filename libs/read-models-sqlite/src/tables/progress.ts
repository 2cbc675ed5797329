import { isStillThere, type EventStore, type Landmark, type Position } from '@tillstream/event-store';
import type { Columns } from './sqlite.dialect.js';

/** How far a generation has read history. */
export interface Progress {
  readonly position: Position | undefined;
  /** Handled since the beginning. */
  readonly events: number;
  /** Ms, real time. */
  readonly updatedAt: number;
  /** The last event that was handled; `position` may lie behind it. */
  readonly landmark: Landmark | undefined;
}

/** A step forward. */
export interface Advance {
  readonly to: Position;
  /** Handled in it. */
  readonly events: number;
  /** The last of them; left out, the one before stays. */
  readonly landmark: Landmark | undefined;
  /** Ms, real time. */
  readonly now: number;
}

export const PROGRESS_COLUMNS = [
  'position',
  'events',
  'updated_at',
  'last_stream',
  'last_revision',
  'last_position',
] as const;

export function progressOf(row: Columns): Progress {
  const { last_stream: stream, last_revision: revision, last_position: position } = row;
  return {
    position: placeOf(row['position']),
    events: Number(row['events']),
    updatedAt: Number(row['updated_at']),
    landmark:
      typeof stream === 'string'
        ? { stream, revision: Number(revision), position: placeOf(position) as Position }
        : undefined,
  };
}

/** Whether the store still has what was read; before anything was, it has. Rejects as the store does. */
export async function isOfThisHistory(
  store: Pick<EventStore, 'readStream'>,
  { landmark }: Pick<Progress, 'landmark'>,
): Promise<boolean> {
  return landmark === undefined || isStillThere(store, landmark);
}

/** In the order of `PROGRESS_COLUMNS`. */
export function valuesOf({ to, events, now, landmark }: Advance) {
  return [to, events, now, landmark?.stream ?? null, landmark?.revision ?? null, landmark?.position ?? null];
}

const placeOf = (value: unknown): Position | undefined => (value ?? undefined) as Position | undefined;

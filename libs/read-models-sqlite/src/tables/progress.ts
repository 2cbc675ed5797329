import { holdsWitness, type EventStore, type HistoryWitness, type Position } from '@tillstream/event-store';
import type { Columns } from './sqlite.dialect.js';

/** How far a generation has read history. */
export interface Progress {
  readonly position: Position | undefined;
  /** Handled since the beginning. */
  readonly events: number;
  /** Ms, real time. */
  readonly updatedAt: number;
  /** The last event that was handled; `position` may lie behind it. */
  readonly witness: HistoryWitness | undefined;
}

/** A step forward. */
export interface Advance {
  readonly to: Position;
  /** Handled in it. */
  readonly events: number;
  /** The last of them; left out, the one before stays. */
  readonly witness: HistoryWitness | undefined;
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

export function toProgress(row: Columns): Progress {
  const { last_stream: stream, last_revision: revision, last_position: position } = row;
  return {
    position: toPosition(row['position']),
    events: Number(row['events']),
    updatedAt: Number(row['updated_at']),
    witness:
      typeof stream === 'string'
        ? { stream, revision: Number(revision), position: toPosition(position) as Position }
        : undefined,
  };
}

/** Whether the store still has what was read; before anything was, it has. Rejects as the store does. */
export async function isSameHistory(
  store: Pick<EventStore, 'readStream'>,
  { witness }: Pick<Progress, 'witness'>,
): Promise<boolean> {
  return witness === undefined || holdsWitness(store, witness);
}

/** In the order of `PROGRESS_COLUMNS`. */
export function advanceValues({ to, events, now, witness }: Advance) {
  return [to, events, now, witness?.stream ?? null, witness?.revision ?? null, witness?.position ?? null];
}

const toPosition = (value: unknown): Position | undefined => (value ?? undefined) as Position | undefined;

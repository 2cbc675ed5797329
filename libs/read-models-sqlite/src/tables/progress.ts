import { holdsWitness, type EventStore, type HistoryWitness, type Position } from '@tillstream/event-store';
import type { Columns } from './sqlite.dialect.js';

/** How far a generation has read history. */
export interface Progress {
  readonly position: Position | undefined;
  /** Events handled in total. */
  readonly events: number;
  /** Ms since 1970, real time: when the checkpoint last moved. */
  readonly updatedAt: number;
  /** The last handled event. `position` may lie after it. */
  readonly witness: HistoryWitness | undefined;
}

/** A step of the checkpoint. */
export interface Advance {
  readonly to: Position;
  /** Events handled in the step. */
  readonly events: number;
  /** The last event of the step; if undefined, the stored witness stays. */
  readonly witness: HistoryWitness | undefined;
  /** Ms since 1970, real time. */
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

/** Whether the store still has the last handled event; true if there is none. Rejects with the store's errors. */
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

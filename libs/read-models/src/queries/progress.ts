import type { HistoryWitness, Position } from '@tillstream/event-store';
import type { Columns, GenerationReader } from './generation.tables.js';

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

/** The table `progress` has one row. */
export async function readProgress({ tables, all }: GenerationReader): Promise<Progress> {
  const [row] = await all(tables.selectFrom('progress').selectAll());
  if (!row) throw new Error('a generation has no progress');
  return toProgress(row);
}

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

const toPosition = (value: unknown): Position | undefined => (value ?? undefined) as Position | undefined;

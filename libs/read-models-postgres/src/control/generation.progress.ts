import type { Selectable } from 'kysely';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import { databaseNow, type Postgres, type PostgresSession } from '@tillstream/postgres-driver';
import type { Advance, ListProgress } from '@tillstream/read-models';
import { build, type ControlTables } from './control.tables.js';

const NOT_STARTED: ListProgress = { position: undefined, events: 0, updatedAt: 0, witness: undefined };

export async function progressOf(database: Pick<Postgres, 'all'>, generation: number): Promise<ListProgress> {
  const query = build
    .selectFrom('list_generations')
    .select(['position', 'events', 'moved_at', 'last_stream', 'last_revision', 'last_position'])
    .where('generation', '=', generation);
  const [row] = await database.all(query);
  return row ? toProgress(row) : NOT_STARTED;
}

/**
 * Compare-and-swap of the checkpoint: false if it is not `from` any more, or if the generation was replaced. The row stays
 * locked until the transaction ends. Call it only in the transaction that writes the step's rows.
 */
export async function moveCheckpoint(
  session: PostgresSession,
  generation: number,
  from: Position | undefined,
  { to, events, witness }: Advance,
): Promise<boolean> {
  const moved = build
    .updateTable('list_generations')
    .set(({ eb }) => ({
      position: to,
      events: eb('events', '+', events),
      moved_at: databaseNow,
      ...(witness && {
        last_stream: witness.stream,
        last_revision: witness.revision,
        last_position: witness.position,
      }),
    }))
    .where('generation', '=', generation)
    .where('status', '!=', 'Retired')
    .where('position', 'is not distinct from', from ?? null);
  return (await session.run(moved)) === 1;
}

type ProgressRow = Pick<
  Selectable<ControlTables['list_generations']>,
  'position' | 'events' | 'moved_at' | 'last_stream' | 'last_revision' | 'last_position'
>;

function toProgress(row: ProgressRow): ListProgress {
  const { position, events, moved_at: movedAt, last_stream: stream, last_revision: revision } = row;
  const witness = { stream, revision, position: row.last_position } as HistoryWitness;
  return {
    position: (position ?? undefined) as Position | undefined,
    events,
    updatedAt: movedAt?.getTime() ?? 0,
    witness: stream === null ? undefined : witness,
  };
}

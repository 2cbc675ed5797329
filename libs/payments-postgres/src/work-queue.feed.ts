import type { Checkpoint } from '@tillstream/event-consumers';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import type { CountedFact, WorkItem, WorkItemChange } from '@tillstream/payments';
import type { Postgres, PostgresSession } from '@tillstream/postgres-driver';
import { build, noCheckpoint } from './payments.tables.js';

/** Of one statement: each has nine values, and a statement can have 65,535. */
const ITEMS_PER_STATEMENT_MAX = 500;

export async function storedCheckpoint(database: Pick<Postgres, 'all'>): Promise<Checkpoint | undefined> {
  const query = build.selectFrom('open_work_checkpoint').selectAll().where('position', 'is not', null);
  const [row] = await database.all(query);
  if (!row) return undefined;
  const { position, last_stream: stream, last_revision: revision, last_position } = row;
  const witness = { stream, revision, position: last_position } as HistoryWitness;
  return { position: position as Position, witness: stream === null ? undefined : witness };
}

/**
 * Compare-and-swap of the checkpoint: false if it is not `from` any more. The row stays locked until the transaction ends,
 * also for `resetWorkQueue`.
 */
export async function moveCheckpoint(
  session: PostgresSession,
  from: Position | undefined,
  { position, stream, revision }: HistoryWitness,
): Promise<boolean> {
  const moved = build
    .updateTable('open_work_checkpoint')
    .set({ position, last_stream: stream, last_revision: revision, last_position: position })
    .where('position', 'is not distinct from', from ?? null);
  return (await session.run(moved)) === 1;
}

/** Empties the queue. Its checkpoint goes first: otherwise items of a process that feeds it at the same time could stay. */
export async function resetWorkQueue(session: PostgresSession): Promise<void> {
  await session.run(build.updateTable('open_work_checkpoint').set(noCheckpoint));
  await session.run(build.deleteFrom('open_work'));
  await session.run(build.deleteFrom('open_work_counts'));
}

/** Writes the changes as if one after another. */
export async function writeChanges(
  session: PostgresSession,
  changes: readonly WorkItemChange[],
): Promise<void> {
  const lastOf = new Map<string, WorkItem | undefined>();
  const counts = new Map<CountedFact, number>();
  for (const change of changes) {
    if (change.kind === 'Count') counts.set(change.what, (counts.get(change.what) ?? 0) + change.by);
    else if (change.kind === 'Put') lastOf.set(change.work.id, change.work);
    else lastOf.set(change.id, undefined);
  }
  // Every process locks the items in this order.
  const items = [...lastOf].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let at = 0; at < items.length; at += ITEMS_PER_STATEMENT_MAX) {
    const chunk = items.slice(at, at + ITEMS_PER_STATEMENT_MAX);
    const removed = chunk.filter(([, work]) => work === undefined).map(([id]) => id);
    const put = chunk.flatMap(([, work]) => work ?? []);
    if (removed.length > 0) await session.run(build.deleteFrom('open_work').where('id', 'in', removed));
    if (put.length > 0) await session.run(putItems(put));
  }
  for (const [what, by] of counts) await session.run(addToCount(what, by));
}

function putItems(items: readonly WorkItem[]) {
  const rows = items.map((work) => ({
    id: work.id,
    kind: work.kind,
    subject: work.subject,
    merchant_id: work.merchantId ?? null,
    clock: work.clock,
    due_at: work.dueAt,
    step: work.step,
    since: work.since,
    interrupted: work.interrupted ?? false,
  }));
  return build
    .insertInto('open_work')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        clock: ref('excluded.clock'),
        due_at: ref('excluded.due_at'),
        step: ref('excluded.step'),
        since: ref('excluded.since'),
        interrupted: ref('excluded.interrupted'),
        claimed_until: 0,
      })),
    );
}

function addToCount(what: CountedFact, by: number) {
  return build
    .insertInto('open_work_counts')
    .values({ what, count: by })
    .onConflict((conflict) =>
      conflict.column('what').doUpdateSet(({ eb }) => ({ count: eb('open_work_counts.count', '+', by) })),
    );
}

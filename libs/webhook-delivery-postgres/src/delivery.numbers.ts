import type { Checkpoint } from '@tillstream/event-consumers';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import type { Postgres, PostgresSession } from '@tillstream/postgres-driver';
import type { MerchantNumbers, NumberedPage } from '@tillstream/webhook-delivery';
import { build, noProgress } from './deliveries.tables.js';

export async function storedCheckpoint(
  database: Pick<Postgres, 'all'>,
  source: string,
): Promise<Checkpoint | undefined> {
  const query = build.selectFrom('webhook_progress').selectAll().where('source', '=', source);
  const [row] = await database.all(query.where('position', 'is not', null));
  if (!row) return undefined;
  const { position, last_stream: stream, last_revision: revision, last_position } = row;
  const witness = { stream, revision, position: last_position } as HistoryWitness;
  return { position: position as Position, witness };
}

/**
 * Compare-and-swap: false if another process has numbered since, or if the deliveries are of another store by now. The row
 * stays locked until the transaction ends, also for a reset.
 */
export async function moveCheckpoint(
  session: PostgresSession,
  source: string,
  { from, to, witness }: Pick<NumberedPage, 'from' | 'to' | 'witness'>,
): Promise<boolean> {
  const { stream, revision, position } = witness;
  const moved = build
    .updateTable('webhook_progress')
    .set({ position: to, last_stream: stream, last_revision: revision, last_position: position })
    .where('position', 'is not distinct from', from ?? null)
    .where('source', '=', source);
  return (await session.run(moved)) === 1;
}

/**
 * In the order of `merchantIds`. If another process numbers between the two reads, the checkpoint has moved, and what is
 * numbered from the result is fenced.
 */
export async function storedNumbers(
  database: Pick<Postgres, 'all'>,
  merchantIds: readonly string[],
): Promise<MerchantNumbers[]> {
  if (merchantIds.length === 0) return [];
  const counted = await database.all(
    build.selectFrom('webhook_merchants').selectAll().where('merchant_id', 'in', merchantIds),
  );
  const sequences = new Map(counted.map(({ merchant_id, sequence }) => [merchant_id, sequence]));
  const rows = await database.all(
    build
      .selectFrom('webhook_endpoints')
      .select(['merchant_id', 'endpoint', 'hook_sequence as hookSequence'])
      .where('merchant_id', 'in', merchantIds)
      .where('removed', '=', false)
      .orderBy('merchant_id')
      .orderBy('number'),
  );
  return merchantIds.map((merchantId) => ({
    merchantId,
    sequence: sequences.get(merchantId) ?? 0,
    endpoints: rows
      .filter(({ merchant_id }) => merchant_id === merchantId)
      .map(({ endpoint, hookSequence }) => ({ endpoint, hookSequence })),
  }));
}

/** Deletes everything, if the deliveries are of this store. The checkpoint goes first, and so fences who numbers meanwhile. */
export async function resetDeliveries(session: PostgresSession, source: string): Promise<void> {
  const forgotten = build.updateTable('webhook_progress').set(noProgress).where('source', '=', source);
  if ((await session.run(forgotten)) === 1) await deleteAll(session);
}

/**
 * Records that the deliveries follow from the events of this store. Positions of one store mean nothing in another, so a
 * change of the store deletes all, and a process that still numbers the events of the old one is fenced.
 */
export async function setDeliverySource(database: Postgres, source: string): Promise<void> {
  const stored = build.selectFrom('webhook_progress').select('source');
  if ((await database.all(stored))[0]?.source === source) return;
  await database.transaction(async (session) => {
    const [locked] = await session.all(stored.forUpdate());
    // Another process that started at the same time did it.
    if (locked?.source === source) return;
    await session.run(build.updateTable('webhook_progress').set({ source, ...noProgress }));
    // Nothing was numbered before the first start.
    if (locked?.source !== null) await deleteAll(session);
  });
}

async function deleteAll(session: PostgresSession): Promise<void> {
  // Not row by row: there may be millions. Endpoints first, as in every other transaction.
  await session.command(
    'truncate webhook_endpoints, webhook_claims, webhook_deliveries, webhook_attempts, webhook_bodies, webhook_events, webhook_merchants',
  );
}

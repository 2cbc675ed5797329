import type { Channel } from '@tillstream/domain';
import type {
  BatchRow,
  BatchRowsRequest,
  BatchSum,
  UnbatchedItem,
  UnbatchedRequest,
} from '../batch.queries.types.js';
import type { LiveGeneration, Tables } from './live.generation.js';

/* Rows of `transactions` that wait for a batch, and those that a batch took. */

export async function facetsOf(
  { build, all }: LiveGeneration,
  { merchantId, currency }: Pick<UnbatchedRequest, 'merchantId' | 'currency'>,
): Promise<number[]> {
  const query = build
    .selectFrom('card_facet')
    .select('facet')
    .where('merchant_id', '=', merchantId)
    .where('currency', '=', currency);
  return (await all(query)).map(({ facet }) => Number(facet));
}

export function unbatchedRows(build: Tables, facet: number) {
  return build.selectFrom('rows').where('card_facet', '=', facet).where('unbatched_at', 'is not', null);
}

export async function unbatchedItemsOfFacet(
  { build, all }: LiveGeneration,
  facet: number,
  { before, after, limit }: UnbatchedRequest,
): Promise<UnbatchedItem[]> {
  let query = unbatchedRows(build, facet)
    .select(['id', 'unbatched_at', 'revision'])
    .where('unbatched_at', '<', before);
  if (after) {
    query = query
      .where('unbatched_at', '>=', after.at)
      .where(({ or, eb }) => or([eb('unbatched_at', '>', after.at), eb('id', '>', after.operationId)]));
  }
  const rows = await all(query.orderBy('unbatched_at').orderBy('id').limit(limit));
  return rows.map(({ id, unbatched_at: at, revision }) => ({
    operationId: String(id),
    at: Number(at),
    revision: Number(revision),
  }));
}

export async function batchRowsOfFacet(
  { build, all }: LiveGeneration,
  facet: number,
  { batchId, part, channels, after, limit }: BatchRowsRequest,
): Promise<BatchRow[]> {
  let query = build
    .selectFrom('rows')
    .select(['id', 'created_at'])
    .where(part === 'Operations' ? 'batch_id' : 'return_batch_id', '=', batchId)
    .where('card_facet', '=', facet)
    .where('channel', 'in', channels);
  if (after) {
    query = query
      .where('created_at', '>=', after.createdAt)
      .where(({ or, eb }) => or([eb('created_at', '>', after.createdAt), eb('id', '>', after.operationId)]));
  }
  const rows = await all(query.orderBy('created_at').orderBy('id').limit(limit));
  return rows.map(({ id, created_at: createdAt }) => ({
    operationId: String(id),
    createdAt: Number(createdAt),
  }));
}

export async function operationSums({ build, all }: LiveGeneration, batchId: string): Promise<BatchSum[]> {
  const query = build
    .selectFrom('rows')
    .innerJoin('outcome_facet', 'outcome_facet.facet', 'rows.outcome_facet')
    .select(({ fn }) => [
      'rows.channel as channel',
      'outcome_facet.type as type',
      fn.countAll().as('count'),
      fn.sum('rows.batched_amount').as('amount'),
    ])
    .where('rows.batch_id', '=', batchId)
    .groupBy(['rows.channel', 'outcome_facet.type']);
  return (await all(query)).map((row) => toSum(row, String(row.type) as BatchSum['type']));
}

export async function returnSums({ build, all }: LiveGeneration, batchId: string): Promise<BatchSum[]> {
  const query = build
    .selectFrom('rows')
    .select(({ fn }) => [
      'channel',
      fn.sum('returned_count').as('count'),
      fn.sum('returned_amount').as('amount'),
    ])
    .where('return_batch_id', '=', batchId)
    .groupBy('channel');
  return (await all(query)).map((row) => toSum(row, 'BankReturn'));
}

/** PostgreSQL gives sums as texts. */
function toSum(
  { channel, count, amount }: Readonly<Record<string, unknown>>,
  type: BatchSum['type'],
): BatchSum {
  return { channel: String(channel) as Channel, type, count: Number(count), amount: Number(amount ?? 0) };
}

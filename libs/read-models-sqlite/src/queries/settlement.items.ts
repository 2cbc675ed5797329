import {
  fundedAtOf,
  settlementBody,
  settlementIdOfBody,
  withFundedAt,
  type ListItem,
} from '@tillstream/read-models';
import type { LiveReader } from './live.reader.js';

const SETTLEMENTS = 'settlements';

/** Settled transactions with the time of the funding of their settlements. */
export async function withFunding(
  reader: LiveReader,
  items: readonly ListItem[],
  asOf: string | undefined,
): Promise<ListItem[]> {
  const settlementIds = items.map(({ body }) => settlementIdOfBody(body));
  const fundedAt = await fundingTimes(reader, [...new Set(settlementIds)]);
  return items.map(({ id, body }, index) => ({
    id,
    body: withFundedAt(body, fundedAt.get(settlementIds[index] ?? ''), asOf),
  }));
}

/** Undefined if the merchant has no such settlement. */
export async function findSettlement(
  reader: LiveReader,
  merchantId: string,
  settlementId: string,
): Promise<string | undefined> {
  const [row] = await reader.query(SETTLEMENTS, (tables) =>
    tables
      .selectFrom('rows')
      .innerJoin('facet', 'facet.facet', 'rows.facet')
      .select(['rows.body as body', 'rows.lines as lines'])
      .where('rows.id', '=', settlementId)
      .where('facet.merchant_id', '=', merchantId)
      .execute(),
  );
  return row && settlementBody(String(row['body']), String(row['lines']));
}

async function fundingTimes(
  reader: LiveReader,
  settlementIds: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  if (settlementIds.length === 0) return new Map();
  const rows = await reader.query(SETTLEMENTS, (tables) =>
    tables.selectFrom('rows').select(['id', 'body']).where('id', 'in', settlementIds).execute(),
  );
  return new Map(rows.map(({ id, body }) => [String(id), fundedAtOf(String(body))]));
}

import type { ListItem } from '../read-models.types.js';
import { fundedAtOf, settlementBody, settlementIdOfBody, withFundedAt } from '../settlement.bodies.js';
import type { LiveGenerations } from './live.generation.js';
import { storableValues } from './storable.values.js';

const SETTLEMENTS = 'settlements';

/** Settled transactions with the time of the funding of their settlements. */
export async function withFunding(
  live: LiveGenerations,
  items: readonly ListItem[],
  asOf: string | undefined,
): Promise<ListItem[]> {
  const settlementIds = items.map(({ body }) => settlementIdOfBody(body));
  const fundedAt = await fundingTimes(live, [...new Set(settlementIds)]);
  return items.map(({ id, body }, index) => ({
    id,
    body: withFundedAt(body, fundedAt.get(settlementIds[index] ?? ''), asOf),
  }));
}

/** Undefined if the merchant has no such settlement. */
export async function findSettlement(
  live: LiveGenerations,
  merchantId: string,
  settlementId: string,
): Promise<string | undefined> {
  if (storableValues([settlementId]).length === 0) return undefined;
  const [row] = await live.query(SETTLEMENTS, ({ build, all }) =>
    all(
      build
        .selectFrom('rows')
        .innerJoin('facet', 'facet.facet', 'rows.facet')
        .select(['rows.body as body', 'rows.lines as lines'])
        .where('rows.id', '=', settlementId)
        .where('facet.merchant_id', '=', merchantId),
    ),
  );
  return row && settlementBody(String(row['body']), String(row['lines']));
}

async function fundingTimes(
  live: LiveGenerations,
  settlementIds: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  if (settlementIds.length === 0) return new Map();
  const rows = await live.query(SETTLEMENTS, ({ build, all }) =>
    all(build.selectFrom('rows').select(['id', 'body']).where('id', 'in', settlementIds)),
  );
  return new Map(rows.map(({ id, body }) => [String(id), fundedAtOf(String(body))]));
}

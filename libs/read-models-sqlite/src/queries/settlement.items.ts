import type { FeeCharge, SettledTransaction, Settlement, SettlementSummary } from '@tillstream/contracts';
import type { ListItem } from '@tillstream/read-models';
import type { FoundRow } from './list.plan.js';
import type { LiveReader } from './live.reader.js';

/*
 * Items of settlements and fees. A list as it was at a time needs no other rows: the facts only grow, and a row has the times
 * of them, so that what came later is left out.
 */

export function withBody<Body>({ id, content }: FoundRow, change: (body: Body) => Body): ListItem {
  const text = String(content['body']);
  const body = JSON.parse(text) as Body;
  const changed = change(body);
  return { id, body: changed === body ? text : JSON.stringify(changed) };
}

export function settlementAsOf(settlement: SettlementSummary, asOf: string | undefined): SettlementSummary {
  const { fundedAt, ...pending } = settlement;
  return isLater(fundedAt, asOf) ? { ...pending, status: 'Pending' } : settlement;
}

export function feeChargeAsOf(charge: FeeCharge, asOf: string | undefined): FeeCharge {
  const { chargedAt, ...pending } = charge;
  return isLater(chargedAt, asOf) ? { ...pending, status: 'Pending', settlementId: null } : charge;
}

/** Adds the time of the funding of their settlements. */
export async function withFunding(
  reader: LiveReader,
  items: readonly ListItem[],
  asOf: string | undefined,
): Promise<ListItem[]> {
  const settled = items.map(({ id, body }) => ({ id, transaction: JSON.parse(body) as SettledTransaction }));
  const settlementIds = [...new Set(settled.map(({ transaction }) => transaction.settlement.id))];
  const fundedAt = await fundingTimes(reader, settlementIds);
  return settled.map(({ id, transaction }) => {
    const at = fundedAt.get(transaction.settlement.id);
    const isFunded = at !== undefined && !isLater(at, asOf);
    const settlement = { ...transaction.settlement, ...(isFunded && { fundedAt: at }) };
    return { id, body: JSON.stringify({ ...transaction, settlement }) };
  });
}

/** Undefined if the merchant has no such settlement. */
export async function findSettlement(
  reader: LiveReader,
  merchantId: string,
  settlementId: string,
): Promise<string | undefined> {
  const [row] = await reader.query('settlements', (tables) =>
    tables
      .selectFrom('rows')
      .innerJoin('facet', 'facet.facet', 'rows.facet')
      .select(['rows.body as body', 'rows.lines as lines'])
      .where('rows.id', '=', settlementId)
      .where('facet.merchant_id', '=', merchantId)
      .execute(),
  );
  if (!row) return undefined;
  const summary = JSON.parse(String(row['body'])) as SettlementSummary;
  const lines = JSON.parse(String(row['lines'])) as Settlement['lines'];
  return JSON.stringify({ ...summary, lines } satisfies Settlement);
}

async function fundingTimes(
  reader: LiveReader,
  settlementIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (settlementIds.length === 0) return new Map();
  const rows = await reader.query('settlements', (tables) =>
    tables.selectFrom('rows').select(['id', 'body']).where('id', 'in', settlementIds).execute(),
  );
  return new Map(
    rows.flatMap(({ id, body }) => {
      const { fundedAt } = JSON.parse(String(body)) as SettlementSummary;
      return fundedAt === undefined ? [] : [[String(id), fundedAt] as const];
    }),
  );
}

function isLater(time: string | undefined, asOf: string | undefined): boolean {
  return time !== undefined && asOf !== undefined && Date.parse(time) > Date.parse(asOf);
}

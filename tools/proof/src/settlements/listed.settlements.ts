import type { FeeCharge, SettledTransaction, Settlement, SettlementSummary } from '@tillstream/contracts';
import type { ApiClient } from '../support/api.client.js';
import type { SettlementRecords } from './settlement.records.js';
import type { SettlementRecord } from './settlement.records.types.js';
import type { Shop } from './shops.js';

/* The lists of settlements as merchants read them, page by page. */

const PAGE_ROWS = 100;
const EXAMPLES_MAX = 3;

export interface ListedSettlements {
  readonly merchantId: string;
  readonly settlements: readonly SettlementSummary[];
  /** The single reads. */
  readonly singles: readonly Settlement[];
  readonly transactions: readonly SettledTransaction[];
  readonly feeCharges: readonly FeeCharge[];
}

export async function readLists(origin: string, { merchantId, api }: Shop): Promise<ListedSettlements> {
  const settlements = await readList<SettlementSummary>(api, origin, '/v1/settlements');
  const singles: Settlement[] = [];
  for (const { id } of settlements) {
    const single = await api.send(origin, 'GET', `/v1/settlements/${id}`);
    if (single?.status === 200) singles.push(JSON.parse(single.text) as Settlement);
  }
  return {
    ...{ merchantId, settlements, singles },
    transactions: await readList<SettledTransaction>(api, origin, '/v1/settlements/transactions'),
    feeCharges: await readList<FeeCharge>(api, origin, '/v1/fee-charges'),
  };
}

async function readList<Item>(api: ApiClient, origin: string, path: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await api.send(origin, 'GET', `${path}?limit=${PAGE_ROWS}${from}`);
    if (response?.status !== 200) throw new Error(`${path} was answered with ${response?.text}`);
    const page = JSON.parse(response.text) as { readonly data: Item[]; readonly nextCursor: string | null };
    items.push(...page.data);
    cursor = page.nextCursor;
  }
  return items;
}

/** The lists hold what the events say, all of it funded, and nothing else. */
export function listErrors(listed: ListedSettlements, records: SettlementRecords): string[] {
  const { merchantId, settlements, singles, transactions, feeCharges } = listed;
  const own = [...records.settlements.values()].filter(({ started }) => started.merchantId === merchantId);
  const unfunded = settlements.filter(({ status }) => status !== 'Funded');
  const wrongLines = singles.filter(({ lines, amount }) => sum(lines) !== amount);
  const wrongFees = feeCharges.filter(({ feeBreakdown, amount }) => sum(feeBreakdown) !== amount);
  return [
    ...differences(
      'settlements',
      settlements.map(({ id, amount, feeAmount, transactionCount }) =>
        [id, amount, feeAmount, transactionCount].join(' '),
      ),
      own.map(settlementText),
    ),
    ...differences(
      'single reads',
      singles.map(
        ({ id, lines }) => `${id} ${lines.map(({ amount, count }) => `${amount}/${count}`).join()}`,
      ),
      own.map(linesText),
    ),
    ...differences(
      'settled transactions',
      transactions.map(({ settlement, transactionId, transactionType, settledAmount }) =>
        [settlement.id, transactionId, transactionType, settledAmount].join(' '),
      ),
      own.flatMap(({ started, pages }) =>
        pages.flatMap((page) =>
          page.items.map((item) =>
            [started.settlementId, item.operationId, item.type, item.amount].join(' '),
          ),
        ),
      ),
    ),
    ...differences(
      'fee charges',
      feeCharges.map(({ id, amount, status }) => [id, amount, status].join(' ')),
      own.flatMap(feeTexts),
    ),
    ...unfunded.map(({ id }) => `${id} is not funded`),
    ...wrongLines.map(({ id }) => `the lines of ${id} are not its amount`),
    ...wrongFees.map(({ id }) => `the lines of ${id} are not its amount`),
  ];
}

function settlementText({ started, created }: SettlementRecord): string {
  const { amount, feeAmount, transactionCount } = created[0] ?? {};
  return [started.settlementId, amount, feeAmount, transactionCount].join(' ');
}

/** Fees of payments, pending until their page is charged with `Gross`, and monthly fees. */
function feeTexts({ started, pages }: SettlementRecord): string[] {
  const { fundingType, adjustments } = started;
  const ofItems = pages.flatMap(({ items, charged }) => {
    const status = fundingType === 'Net' || charged ? 'Charged' : 'Pending';
    return items.flatMap(({ fee }) => (fee ? [[fee.feeId, fee.amount, status].join(' ')] : []));
  });
  const monthly = adjustments.flatMap(({ feeId, amount }) =>
    feeId === undefined ? [] : [[feeId, -amount, 'Charged'].join(' ')],
  );
  return [...ofItems, ...monthly];
}

function linesText({ started, created }: SettlementRecord): string {
  const lines = created[0]?.lines ?? [];
  return `${started.settlementId} ${lines.map(({ amount, count }) => `${amount}/${count}`).join()}`;
}

function differences(what: string, listed: readonly string[], expected: readonly string[]): string[] {
  const [inList, inEvents] = [new Set(listed), new Set(expected)];
  const extra = [...inList].filter((text) => !inEvents.has(text));
  const missing = [...inEvents].filter((text) => !inList.has(text));
  const texts = [
    ...(listed.length === inList.size ? [] : [`${what}: ${listed.length - inList.size} are listed twice`]),
    ...extra.slice(0, EXAMPLES_MAX).map((text) => `${what}: ${text} is listed, the events differ`),
    ...missing.slice(0, EXAMPLES_MAX).map((text) => `${what}: ${text} is not listed`),
  ];
  return texts;
}

function sum(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((total, { amount }) => total + amount, 0);
}

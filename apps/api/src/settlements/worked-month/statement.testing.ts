import { expect } from '@jest/globals';
import type {
  FeeCharge,
  ListPage,
  SettledTransaction,
  Settlement,
  SettlementSummary,
  TransactionResult,
} from '@tillstream/contracts';
import { dateInZone } from '@tillstream/domain';
import { answered } from '../../testing/eventually.js';
import type { TestApi } from '../../testing/test.api.js';
import { dayText, type MonthDay, type MonthPart, type Row } from './document.testing.js';
import { ZONE, type Shop } from './shop.testing.js';

/* What the service says about a month, in the words and columns of `docs/worked-month.md`. */

export interface Statement extends Pick<MonthPart, 'days' | 'totals' | 'feesByType' | 'feesByCard'> {
  readonly settlements: readonly SettlementSummary[];
  readonly fees: readonly FeeCharge[];
}

/** A settlement with its rows. A fee is that of the row with the same index, if it has one. */
interface Settled {
  readonly settlement: Settlement;
  readonly rows: readonly { readonly item: SettledTransaction; readonly fee: FeeCharge | undefined }[];
}

const NOTHING = '–';
const FEE_TYPES = ['Interchange', 'Scheme', 'Markup'] as const;
const MONTH = '2026-11';
const PAGE_ROWS = 100;

/** `−1,234.56` */
export function amountText(cents: number): string {
  const text = (Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return cents < 0 ? `−${text}` : text;
}

export async function statementOf(
  api: TestApi,
  shop: Shop,
  { currency, fundingType, events }: Pick<MonthPart, 'currency' | 'fundingType' | 'events'>,
): Promise<Statement> {
  const list = <Item>(path: string): Promise<Item[]> => wholeList<Item>(api, shop.key, path);
  const settlements = await list<SettlementSummary>(`settlements?currency=${currency}&sort=createdAt`);
  const fees = (await list<FeeCharge>('fee-charges')).filter((fee) => fee.currency === currency);
  const sales = await list<TransactionResult>(`transactions?type=Sale&currency=${currency}`);
  const left = [...fees];
  const settled: Settled[] = [];
  for (const { id } of settlements) {
    const items = await list<SettledTransaction>(`settlements/transactions?settlementId=${id}`);
    const order = events.map(({ number }) => number);
    const place = (item: SettledTransaction): number =>
      order.indexOf(shop.numberOf(item).split(',')[0] ?? '');
    settled.push({
      settlement: answered(await api.get(`/v1/settlements/${id}`, { key: shop.key })),
      rows: items.sort((a, b) => place(a) - place(b)).map((item) => ({ item, fee: takeFee(left, item) })),
    });
  }
  const inMonth = settled.filter(({ settlement }) => closedOn(settlement).startsWith(MONTH));
  const monthly = left.filter(({ source }) => source === 'Monthly');
  expect(left).toEqual(monthly);
  return {
    settlements,
    fees,
    days: daysOf(settled, shop, fundingType, monthly),
    ...sumsOf(inMonth, sum(sales.map(tipOf))),
  };
}

/** Each fee belongs to one row: the first one that fits takes it. */
function takeFee(
  left: FeeCharge[],
  { transactionId, transactionType }: SettledTransaction,
): FeeCharge | undefined {
  const source = { Sale: 'Transaction', Capture: 'Transaction', Return: 'Return', Chargeback: 'Chargeback' };
  const wanted = (source as Record<string, string>)[transactionType];
  const index = left.findIndex(
    (fee) => fee.source === wanted && fee.settledTransaction?.transactionId === transactionId,
  );
  return index < 0 ? undefined : left.splice(index, 1)[0];
}

const closedOn = ({ createdAt }: SettlementSummary): string => dateInZone(Date.parse(createdAt), ZONE);

function daysOf(
  settled: readonly Settled[],
  shop: Shop,
  fundingType: 'Net' | 'Gross',
  monthly: readonly FeeCharge[],
): MonthDay[] {
  const dates = [...new Set(settled.map(({ settlement }) => closedOn(settlement)))];
  return dates.map((date) => {
    const ofDay = settled
      .filter(({ settlement }) => closedOn(settlement) === date)
      .sort((a, b) => kindOf(a).localeCompare(kindOf(b)) * -1);
    return {
      date,
      items: ofDay.flatMap((one) => [
        ...one.rows.map(({ item, fee }) => [
          shop.numberOf(item),
          amountText(item.settledAmount),
          ...feeCells(fee),
        ]),
        ...adjustmentRows(one, fundingType, monthly),
      ]),
      settlements: ofDay.map(settlementRow),
    };
  });
}

/** Bank payments are the items without a card. */
function kindOf({ rows }: Settled): string {
  return rows.length > 0 && rows.every(({ item }) => item.cardType === undefined) ? 'Bank payments' : 'Cards';
}

function settlementRow(settled: Settled): Row {
  const { settlement } = settled;
  const { grossAmount, refundAmount, feeAmount, adjustmentAmount, amount } = settlement;
  return [
    kindOf(settled),
    String(settlement.transactionCount),
    ...[grossAmount, refundAmount, feeAmount, adjustmentAmount, amount].map(amountText),
    dayText(settlement.expectedFundingDate),
  ];
}

function feeCells(fee: FeeCharge | undefined): Row {
  const lines = FEE_TYPES.map((type) => fee?.feeBreakdown.find((line) => line.type === type));
  const base = fee?.settledTransaction?.amount ?? 0;
  return [
    ...lines.map((line) => (line ? calculation(base, line) : NOTHING)),
    fee ? amountText(fee.amount) : NOTHING,
  ];
}

/** `1.50 % = 0.372 → 0.37, + 0.10 = 0.47`; a fixed amount alone is `0.30`. */
function calculation(base: number, line: FeeCharge['feeBreakdown'][number]): string {
  const { rateBps, fixedAmount, amount } = line;
  if (rateBps === 0) return amountText(amount);
  const rate = `${(rateBps / 100).toFixed(2)} %`;
  const rounded = amountText(amount - fixedAmount);
  return `${rate} = ${exactProduct(base, rateBps)} → ${rounded}, + ${amountText(fixedAmount)} = ${amountText(amount)}`;
}

/** In units of the currency, with at least two digits after the point. */
function exactProduct(base: number, rateBps: number): string {
  const millionths = String(base * rateBps).padStart(7, '0');
  const digits = millionths.slice(-6).replace(/0+$/, '').padEnd(2, '0');
  return `${millionths.slice(0, -6)}.${digits}`;
}

/** The fees of the month among the lines of a settlement. `Net` shows them as fees, `Gross` as adjustments. */
function adjustmentRows(
  { settlement }: Settled,
  fundingType: 'Net' | 'Gross',
  monthly: readonly FeeCharge[],
): Row[] {
  return settlement.lines.flatMap(({ type, amount, description }) => {
    if (type !== 'MonthFees' && type !== 'MonthlyFee') return [];
    expect(description).toContain(MONTH);
    const settled = fundingType === 'Gross' ? amountText(amount) : NOTHING;
    if (type === 'MonthFees') return [['Fees of November', settled, NOTHING, NOTHING, NOTHING, NOTHING]];
    const fee = monthly.find(({ settlementId }) => settlementId === settlement.id);
    return [['Monthly fee', settled, ...feeCells(fee)]];
  });
}

/** As approved; a void of a part changes no breakdown. */
const tipOf = ({ transactionResponses: [response] }: TransactionResult): number =>
  response?.approvedAmountBreakdown?.tip ?? 0;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/** Calculated from the rows; the settlements' own totals are in the rows of the days. */
function sumsOf(
  settled: readonly Settled[],
  tips: number,
): Pick<Statement, 'totals' | 'feesByType' | 'feesByCard'> {
  const all = settled.map(({ settlement }) => settlement);
  const rows = settled.flatMap((one) => one.rows);
  const fees = rows.flatMap(({ fee }) => (fee ? [fee] : []));
  const ofSource = (source: string): FeeCharge[] => fees.filter((fee) => fee.source === source);
  const byType = (charges: readonly FeeCharge[]): number[] =>
    FEE_TYPES.map((type) =>
      sum(
        charges.flatMap((fee) => fee.feeBreakdown.filter((line) => line.type === type).map((l) => l.amount)),
      ),
    );
  const cardOf = (fee: FeeCharge): string =>
    rows.find((row) => row.fee === fee)?.item.cardType ?? 'bank payment';
  const payments = ofSource('Transaction');
  const cards = [...new Set(payments.map(cardOf))].sort();
  return {
    totals: [
      [
        String(all.length),
        String(rows.length),
        amountText(sum(all.map((one) => one.grossAmount))),
        amountText(sum(all.map((one) => one.refundAmount))),
        amountText(sum(fees.map((one) => one.amount))),
        amountText(sum(all.map((one) => one.adjustmentAmount))),
        amountText(sum(all.map((one) => one.amount))),
        String(all.filter(({ amount }) => amount < 0).length),
        amountText(tips),
      ],
    ],
    feesByType: [
      [
        ...byType(payments).map(amountText),
        ...['Return', 'Chargeback'].map((source) =>
          amountText(sum(ofSource(source).map((fee) => fee.amount))),
        ),
        amountText(sum(fees.map((fee) => fee.amount))),
      ],
    ],
    feesByCard: cards.map((card) => {
      const ofCard = payments.filter((fee) => cardOf(fee) === card);
      const total = sum(ofCard.map((fee) => fee.amount));
      return [card, String(ofCard.length), ...byType(ofCard).map(amountText), amountText(total)];
    }),
  };
}

async function wholeList<Item>(api: TestApi, key: string, path: string): Promise<Item[]> {
  const items: Item[] = [];
  const query = path.includes('?') ? '&' : '?';
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: ListPage<Item> = await api.list<Item>(
      `/v1/${path}${query}limit=${PAGE_ROWS}${cursor && `&cursor=${cursor}`}`,
      { key },
    );
    items.push(...page.data);
    cursor = page.nextCursor;
  }
  return items;
}

import type { FeeCharge, SettledTransaction, Settlement, SettlementSummary } from '@tillstream/contracts';
import { dateInZone, startOfDate } from '@tillstream/domain';
import { Failed } from '../command.types.js';
import { FeeSettlements } from './fee.settlements.js';
import type { MerchantApi, Query } from './merchant.api.js';
import type { FeeSums, MonthReading, MonthRequest, SettledMonthPart, Sum } from './month.types.js';
import { addFee, addRow, CardSums, NO_FEES, NO_ROWS, plus } from './sums.js';

/** A settlement's figures are held; its transactions and fees are not. */
const SETTLEMENTS_MAX = 10_000;
/** As many ids as a filter takes. */
const FEES_PER_PAGE = 50;

/** What was read, and how much there is of it. The second is known after the first list. */
export type OnProgress = (phase: 'transactions' | 'fees', read: number, expected: number) => void;

/**
 * Reads the settlements that were created in a month, with all their transactions and fees. Memory grows with the number
 * of settlements only. Rejects with `Failed`.
 */
export async function readMonth(
  api: MerchantApi,
  request: MonthRequest,
  onProgress: OnProgress,
): Promise<MonthReading> {
  const summaries = await readSummaries(api, request);
  const expected = summaries.reduce((sum, { transactionCount }) => sum + transactionCount, 0);
  const parts: SettledMonthPart[] = [];
  let read = 0;
  for (const summary of summaries) {
    const { lines } = await api.get<Settlement>(`/settlements/${summary.id}`);
    let rows = NO_ROWS;
    const query = { ...asOf(request), settlementId: summary.id };
    for await (const page of api.pages<SettledTransaction>('/settlements/transactions', query)) {
      rows = page.reduce(addRow, rows);
      onProgress('transactions', (read += page.length), expected);
    }
    const day = dateInZone(Date.parse(summary.createdAt), request.timeZone);
    parts.push({ summary, lines, day, rows, fees: NO_FEES });
  }
  return new MonthFees(api, request, parts, (fees) => onProgress('fees', fees, expected)).read();
}

async function readSummaries(api: MerchantApi, request: MonthRequest): Promise<SettlementSummary[]> {
  const { currency } = request;
  const { from, to } = monthRange(request);
  const query = { ...asOf(request), currency, settledFrom: from, settledTo: to, sort: 'createdAt' };
  const summaries: SettlementSummary[] = [];
  for await (const page of api.pages<SettlementSummary>('/settlements', query)) {
    summaries.push(...page);
    if (summaries.length > SETTLEMENTS_MAX)
      throw new Failed(
        `The month has more than ${SETTLEMENTS_MAX} settlements; a report has at most so many.`,
      );
  }
  return summaries;
}

const asOf = ({ asOf: time }: MonthRequest): Query => (time === undefined ? {} : { asOf: time });

/** From the beginning of the month in its time zone to that of the next one. */
function monthRange(
  { month, timeZone }: MonthRequest,
  monthsLater = 0,
): { readonly from: string; readonly to: string } {
  const begin = (later: number): string => {
    const [year = 0, number = 1] = month.split('-').map(Number);
    const first = new Date(Date.UTC(year, number - 1 + later, 1)).toISOString().slice(0, 10);
    return new Date(startOfDate(first, timeZone)).toISOString();
  };
  return { from: begin(monthsLater), to: begin(monthsLater + 1) };
}

/** The fee charges of a month's settlements, page by page. */
class MonthFees {
  private readonly cards = new CardSums();
  private readonly fees = new Map<string, FeeSums>();
  private readonly feeSettlements: FeeSettlements;
  private count = 0;

  constructor(
    private readonly api: MerchantApi,
    private readonly request: MonthRequest,
    private readonly parts: readonly SettledMonthPart[],
    private readonly onRead: (fees: number) => void,
  ) {
    this.feeSettlements = new FeeSettlements(
      api,
      asOf(request),
      new Set(parts.map(({ summary }) => summary.id)),
    );
  }

  async read(): Promise<MonthReading> {
    const charged = new Map<string, { readonly month: Sum; readonly monthly: Sum }>();
    for (const { summary, lines } of this.parts) {
      const { id, fundingType } = summary;
      if (fundingType === 'Net') await this.readSettledFees({ settlementId: id });
      else if (lines.some(({ type }) => type === 'MonthFees' || type === 'MonthlyFee'))
        charged.set(id, await this.readChargedHere(id));
    }
    if (this.parts.some(({ summary }) => summary.fundingType === 'Gross')) await this.readGross();
    const settlements = this.parts.map((part) => {
      const chargedHere = charged.get(part.summary.id);
      const fees = this.fees.get(part.summary.id) ?? NO_FEES;
      return { ...part, fees, ...(chargedHere && { chargedHere }) };
    });
    return { settlements, cards: this.cards.all() };
  }

  /** With `Gross` funding a fee names no settlement before the end of its month, and then one of the next month. */
  private async readGross(): Promise<void> {
    const { from, to } = monthRange(this.request, 1);
    await this.readSettledFees({ status: 'Pending' });
    await this.readSettledFees({ status: 'Charged', chargedFrom: from, chargedTo: to }, 'Gross');
  }

  /**
   * Adds each fee to the settlement that has its transaction.
   * @param only `Gross`: the fees of transactions in such settlements
   */
  private async readSettledFees(query: Query, only?: 'Gross'): Promise<void> {
    const gross = new Set(
      this.parts.filter(({ summary }) => summary.fundingType === 'Gross').map(({ summary }) => summary.id),
    );
    for await (const page of this.pages(query)) {
      for (const { fee, settlementId, cardType } of await this.feeSettlements.find(page)) {
        if (only && (fee.source === 'Monthly' || !gross.has(settlementId))) continue;
        this.fees.set(settlementId, addFee(this.fees.get(settlementId) ?? NO_FEES, fee));
        if (fee.source === 'Transaction') this.cards.add(cardType, fee);
        this.onRead((this.count += 1));
      }
    }
  }

  private async readChargedHere(
    settlementId: string,
  ): Promise<{ readonly month: Sum; readonly monthly: Sum }> {
    let [month, monthly]: Sum[] = [NO_FEES.monthly, NO_FEES.monthly];
    for await (const page of this.pages({ settlementId })) {
      for (const { source, amount } of page) {
        if (source === 'Monthly') monthly = plus(monthly ?? NO_FEES.monthly, amount);
        else month = plus(month ?? NO_FEES.monthly, amount);
      }
    }
    return { month: month ?? NO_FEES.monthly, monthly: monthly ?? NO_FEES.monthly };
  }

  private async *pages(query: Query): AsyncGenerator<readonly FeeCharge[]> {
    const { currency } = this.request;
    const pages = this.api.pages<FeeCharge>(
      '/fee-charges',
      { ...asOf(this.request), ...query },
      FEES_PER_PAGE,
    );
    for await (const page of pages) yield page.filter((fee) => fee.currency === currency);
  }
}

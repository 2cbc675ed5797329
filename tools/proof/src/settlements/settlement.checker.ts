import { isDeepStrictEqual } from 'node:util';
import { expectedFeeLines, type ExpectedLine } from './expected.fees.js';
import { amountOf, monthErrors } from './months.checker.js';
import type { SettlementRecords } from './settlement.records.js';
import type {
  BatchRecord,
  PageItem,
  SettlementCreated,
  SettlementRecord,
  TakenItem,
  Totals,
} from './settlement.records.types.js';

/* Checks settlements from the events alone: it uses no rule, no fold and no row of the service. */

const BANK_CHANNELS = ['Ach', 'Eft'];
const KINDS = ['Card', 'Bank'] as const;
const SUM_OF_TYPE: Readonly<Record<string, string>> = {
  Sale: 'sales',
  Capture: 'sales',
  Refund: 'refunds',
  UnreferencedRefund: 'refunds',
  Return: 'returns',
  Chargeback: 'chargebacks',
};
const NONE: Totals = { count: 0, amount: 0 };

export function settlementErrors(records: SettlementRecords): string[] {
  const byBatch = new Map<string, SettlementRecord[]>();
  for (const settlement of records.settlements.values()) {
    const { batchId } = settlement.started;
    if (!records.batches.get(batchId)?.closed)
      records.complaints.push(`${batchId} is settled and not closed`);
    byBatch.set(batchId, [...(byBatch.get(batchId) ?? []), settlement]);
  }
  const errors = [...records.batches.values()].flatMap((batch) =>
    batchErrors(records, batch, byBatch.get(batch.batchId) ?? []),
  );
  return [...records.complaints, ...errors, ...monthErrors(records)];
}

function batchErrors(
  records: SettlementRecords,
  batch: BatchRecord,
  settlements: readonly SettlementRecord[],
): string[] {
  const { batchId, closed, settled } = batch;
  if (!closed) return batch.items.length > 0 ? [`${batchId} has items and was never closed`] : [];
  if (!settled) return [`${batchId} waits for its settlements`];
  const errors = KINDS.flatMap((kind) => {
    const items = batch.items.filter(({ channel }) => BANK_CHANNELS.includes(channel) === (kind === 'Bank'));
    const adjustments = kind === adjustedKind(batch) ? batch.adjustments.length : 0;
    const made = settlements.filter(({ started }) => started.kind === kind);
    const expected = items.length + adjustments > 0 ? 1 : 0;
    if (made.length !== expected) return [`${batchId} has ${made.length} settlements of kind ${kind}`];
    return made.flatMap((settlement) => new SettlementCheck(records, batch, settlement).errors(items));
  });
  const listed = settlements.map(({ started, created }) => {
    const { settlementId, kind } = started;
    const { transactionCount = 0, amount = 0 } = created[0] ?? {};
    return { settlementId, kind, transactionCount, amount };
  });
  const byId = (list: readonly { readonly settlementId: string }[]) =>
    list.toSorted((a, b) => a.settlementId.localeCompare(b.settlementId));
  if (!isDeepStrictEqual(byId(listed), byId(settled.settlements)))
    errors.push(`${batchId} names other settlements than it has`);
  return errors;
}

/** The settlement that has the batch's adjustments. */
function adjustedKind({ items }: BatchRecord): (typeof KINDS)[number] {
  const isBankOnly = items.length > 0 && items.every(({ channel }) => BANK_CHANNELS.includes(channel));
  return isBankOnly ? 'Bank' : 'Card';
}

/** One settlement against the items that its batch took. */
class SettlementCheck {
  private readonly id: string;

  constructor(
    private readonly records: SettlementRecords,
    private readonly batch: BatchRecord,
    private readonly settlement: SettlementRecord,
  ) {
    this.id = settlement.started.settlementId;
  }

  errors(taken: readonly TakenItem[]): string[] {
    const { started, created, pages } = this.settlement;
    const [totals, ...more] = created;
    if (!totals || more.length > 0) return [`${this.id} was created ${created.length} times`];
    const complaints = this.pageErrors(totals);
    const adjustments = started.kind === adjustedKind(this.batch) ? this.batch.adjustments : [];
    if (!isDeepStrictEqual(started.adjustments, adjustments))
      complaints.push(`${this.id} has other adjustments than its batch`);
    const items = pages.flatMap((page) => page.items);
    complaints.push(...this.itemErrors(items, taken), ...this.totalErrors(totals, items));
    return complaints.map((text) => `${this.id}: ${text}`);
  }

  private pageErrors({ pages: count }: SettlementCreated): string[] {
    const { pages } = this.settlement;
    const numbers = pages.map(({ page }) => page).toSorted((a, b) => a - b);
    const isWhole = numbers.length === count && numbers.every((page, index) => page === index + 1);
    const last = pages.filter(({ isLast }) => isLast).map(({ page }) => page);
    const wrong = isWhole ? [] : [`it has the pages ${numbers.join(', ')}, and counts ${count}`];
    if (count > 0 && !isDeepStrictEqual(last, [count])) wrong.push(`the last pages are ${last.join(', ')}`);
    return wrong;
  }

  /** Each item of the batch is here once, with its amount and its fee to the cent. */
  private itemErrors(items: readonly PageItem[], taken: readonly TakenItem[]): string[] {
    const complaints: string[] = [];
    const left = new Map(taken.map((item) => [`${item.operationId} ${item.takenBackId ?? ''}`, item]));
    for (const item of items) {
      const key = `${item.operationId} ${item.returnId ?? item.chargebackId ?? ''}`;
      const expected = left.get(key);
      left.delete(key);
      if (!expected) complaints.push(`${key} is here twice, or not in the batch`);
      else if (expected.type !== item.type || expected.amount !== item.amount)
        complaints.push(`${key} is ${item.type} ${item.amount}, not ${expected.type} ${expected.amount}`);
      else complaints.push(...this.feeErrors(item, expected));
    }
    return [...complaints, ...[...left.keys()].map((key) => `${key} is missing`)];
  }

  private feeErrors({ fee }: PageItem, taken: TakenItem): string[] {
    const lines = this.expectedLines(taken);
    const amount = lines.reduce((sum, line) => sum + line.amount, 0);
    if (lines.length === 0) return fee ? [`${taken.operationId} has a fee of ${fee.amount}, not none`] : [];
    if (fee?.amount === amount && isDeepStrictEqual(fee.lines, lines)) return [];
    return [`${taken.operationId} has a fee of ${fee?.amount ?? 'none'}, not ${amount}`];
  }

  private expectedLines(taken: TakenItem): readonly ExpectedLine[] {
    const { merchantId, closed } = this.batch;
    const template = this.records.templateAt(merchantId, closed?.cutOffAt ?? '');
    if (!template) return [];
    const flat = (fixedAmount: number): ExpectedLine[] =>
      fixedAmount === 0 ? [] : [{ type: 'Markup', rateBps: 0, fixedAmount, amount: fixedAmount }];
    if (taken.type === 'Sale' || taken.type === 'Capture') return expectedFeeLines(template.rules, taken);
    if (taken.type === 'Return') return flat(template.returnFee);
    return taken.type === 'Chargeback' ? flat(template.chargebackFee) : [];
  }

  private totalErrors(totals: SettlementCreated, items: readonly PageItem[]): string[] {
    const { fundingType, adjustments } = this.settlement.started;
    const sums = sumsOf(items);
    const sum = (name: string): Totals => sums.get(name) ?? NONE;
    const isNet = fundingType === 'Net';
    const monthly = isNet ? amountOf(adjustments.filter(({ kind }) => kind === 'MonthlyFee')) : 0;
    const itemFees = items.reduce((total, { fee }) => total + (fee?.amount ?? 0), 0);
    const expected = {
      grossAmount: sum('sales').amount,
      refundAmount: 0 - sum('refunds').amount,
      feeAmount: itemFees - monthly,
      adjustmentAmount: sum('returns').amount + sum('chargebacks').amount + amountOf(adjustments) - monthly,
      transactionCount: items.length,
    };
    const { grossAmount, refundAmount, feeAmount, adjustmentAmount } = expected;
    const amount = grossAmount - refundAmount - (isNet ? feeAmount : 0) + adjustmentAmount;
    const wrong = Object.entries({ ...expected, amount })
      .filter(([name, value]) => totals[name as keyof typeof expected] !== value)
      .map(([name, value]) => `${name} is ${String(totals[name as keyof typeof expected])}, not ${value}`);
    if (amountOf(totals.lines) !== amount)
      wrong.push(`its lines are ${amountOf(totals.lines)}, not ${amount}`);
    for (const [name, stored] of Object.entries(totals.sums))
      if (!isDeepStrictEqual(stored, sum(name)))
        wrong.push(`its ${name} are ${JSON.stringify(stored)}, not ${JSON.stringify(sum(name))}`);
    return wrong;
  }
}

/** By the names of the stored sums. */
function sumsOf(items: readonly PageItem[]): ReadonlyMap<string, Totals> {
  const sums = new Map<string, Totals>();
  const add = (name: string, amount: number): void => {
    const before = sums.get(name) ?? NONE;
    sums.set(name, { count: before.count + 1, amount: before.amount + amount });
  };
  for (const { type, amount, fee } of items) {
    add(SUM_OF_TYPE[type] ?? type, amount);
    if (fee?.source === 'Return') add('returnFees', fee.amount);
    else if (fee?.source === 'Chargeback') add('chargebackFees', fee.amount);
    else for (const line of fee?.lines ?? []) add(line.type.toLowerCase(), line.amount);
  }
  return sums;
}

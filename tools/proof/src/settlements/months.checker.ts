import type { SettlementRecords } from './settlement.records.js';
import type { BatchRecord, MonthRecord } from './settlement.records.types.js';

/* Checks the ends of months from the events alone. */

/**
 * Each ended month is charged once when its batch is settled: its adjustments, and with `Gross` the fees of its pages. A batch
 * that took the adjustments is open until its next cut-off.
 */
export function monthErrors(records: SettlementRecords): string[] {
  const taken = new Map<string, BatchRecord[]>();
  for (const batch of records.batches.values())
    for (const { adjustmentId } of batch.adjustments)
      taken.set(adjustmentId, [...(taken.get(adjustmentId) ?? []), batch]);
  const errors = [...records.months].flatMap(([key, month]) => {
    const { adjustments, merchantId, endedAt } = month.ended;
    const lost = adjustments.filter(({ adjustmentId }) => taken.get(adjustmentId)?.length !== 1);
    const wrong = lost.map(({ adjustmentId }) => `${key}: ${adjustmentId} is not in one batch`);
    const isSettled = adjustments.some(({ adjustmentId }) =>
      taken.get(adjustmentId)?.some(({ settled }) => settled),
    );
    if (month.charged !== (isSettled ? 1 : 0)) wrong.push(`${key} was charged ${month.charged} times`);
    const expected = records.templateAt(merchantId, justBefore(endedAt))?.monthlyFee ?? 0;
    const fees = adjustments.filter(({ kind }) => kind === 'MonthlyFee');
    if (isFirstCurrency(month) && amountOf(fees) !== 0 - expected)
      wrong.push(`${key} has a monthly fee of ${amountOf(fees)}, not ${-expected}`);
    if (!isFirstCurrency(month) && fees.length > 0) wrong.push(`${key} has a second monthly fee`);
    return wrong;
  });
  return [...errors, ...feesOfMonthErrors(records)];
}

/** The monthly fee is charged in the first currency of the merchant. */
function isFirstCurrency({ ended }: MonthRecord): boolean {
  return ended.currency === 'USD';
}

function justBefore(time: string): string {
  return new Date(Date.parse(time) - 1).toISOString();
}

/** A settlement charges the fees of the pages that say so, and those only. */
function feesOfMonthErrors({ settlements }: SettlementRecords): string[] {
  const differences = new Map<string, number>();
  const add = (settlementId: string, month: string | undefined, amount: number): void => {
    const key = `${settlementId} ${month ?? ''}`;
    differences.set(key, (differences.get(key) ?? 0) + amount);
  };
  for (const { started, pages } of settlements.values()) {
    for (const { charged, items } of pages)
      if (charged) add(charged.settlementId, charged.month, amountOf(items.flatMap(({ fee }) => fee ?? [])));
    for (const { kind, month, amount } of started.adjustments)
      if (kind === 'MonthFees') add(started.settlementId, month, amount);
  }
  return [...differences]
    .filter(([, difference]) => difference !== 0)
    .map(([key, difference]) => `${key}: the fees of the month differ by ${difference}`);
}

export function amountOf(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((total, { amount }) => total + amount, 0);
}

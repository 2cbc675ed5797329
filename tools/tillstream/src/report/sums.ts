import type { FeeCharge, SettledTransaction } from '@tillstream/contracts';
import type { CardFees, FeeSums, FeeType, RowSums, Sum } from './month.types.js';

/* Sums that grow with each row, and hold no row. */

const NONE: Sum = { count: 0, amount: 0 };
const ofTypes = <Value>(value: Value): Record<FeeType, Value> => ({
  Interchange: value,
  Scheme: value,
  Markup: value,
});

export const NO_ROWS: RowSums = { sales: NONE, refunds: NONE, returns: NONE, chargebacks: NONE };
export const NO_FEES: FeeSums = {
  byType: ofTypes(NONE),
  returns: NONE,
  chargebacks: NONE,
  monthly: NONE,
  pending: NONE,
  unequal: 0,
};

const SUM_OF_ROW: Readonly<Record<SettledTransaction['transactionType'], keyof RowSums>> = {
  Sale: 'sales',
  Capture: 'sales',
  Refund: 'refunds',
  UnreferencedRefund: 'refunds',
  Return: 'returns',
  Chargeback: 'chargebacks',
};

export function plus({ count, amount }: Sum, more: number): Sum {
  return { count: count + 1, amount: amount + more };
}

export function addRow(sums: RowSums, { transactionType, settledAmount }: SettledTransaction): RowSums {
  const name = SUM_OF_ROW[transactionType];
  return { ...sums, [name]: plus(sums[name], settledAmount) };
}

export function addFee(before: FeeSums, { source, status, amount, feeBreakdown }: FeeCharge): FeeSums {
  const total = feeBreakdown.reduce((sum, line) => sum + line.amount, 0);
  const sums: FeeSums = {
    ...before,
    pending: status === 'Pending' ? plus(before.pending, amount) : before.pending,
    unequal: before.unequal + (total === amount ? 0 : 1),
  };
  if (source === 'Return') return { ...sums, returns: plus(sums.returns, amount) };
  if (source === 'Chargeback') return { ...sums, chargebacks: plus(sums.chargebacks, amount) };
  if (source === 'Monthly') return { ...sums, monthly: plus(sums.monthly, amount) };
  const byType = { ...sums.byType };
  for (const line of feeBreakdown) byType[line.type] = plus(byType[line.type], line.amount);
  return { ...sums, byType };
}

/** All fees of a settlement. */
export function feeTotal({ byType, returns, chargebacks, monthly }: FeeSums): number {
  return [...Object.values(byType), returns, chargebacks, monthly].reduce(
    (sum, { amount }) => sum + amount,
    0,
  );
}

/** Fees by type of card. There are few types. */
export class CardSums {
  private readonly cards = new Map<string, CardFees>();

  add(cardType: string, { amount, feeBreakdown }: FeeCharge): void {
    const before = this.cards.get(cardType) ?? { cardType, count: 0, byType: ofTypes(0), amount: 0 };
    const byType = { ...before.byType };
    for (const line of feeBreakdown) byType[line.type] += line.amount;
    this.cards.set(cardType, { cardType, count: before.count + 1, byType, amount: before.amount + amount });
  }

  all(): readonly CardFees[] {
    return [...this.cards.values()].sort((a, b) => b.amount - a.amount || (a.cardType < b.cardType ? -1 : 1));
  }
}

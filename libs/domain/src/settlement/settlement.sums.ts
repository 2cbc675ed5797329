import type { Adjustment, ItemTotals } from '../batch/index.js';
import type { Cents } from '../shared/money.js';
import type { FeeType } from '../pricing-template/index.js';
import { FEE_TYPES, feeLines, type FeeLine } from './fees.js';
import type {
  ItemFee,
  SettledItem,
  SettlementLine,
  SettlementPricing,
  SettlementStarted,
  SettlementSums,
  SettlementTotals,
} from './settlement.events.js';

/* The arithmetic of a settlement. Every total is the sum of its lines (`docs/spec/settlement.md#settlements`). */

const NONE: ItemTotals = { count: 0, amount: 0 };

export const NO_SUMS: SettlementSums = {
  sales: NONE,
  refunds: NONE,
  returns: NONE,
  chargebacks: NONE,
  interchange: NONE,
  scheme: NONE,
  markup: NONE,
  returnFees: NONE,
  chargebackFees: NONE,
};

const SUM_OF_ITEM: Readonly<Record<SettledItem['type'], keyof SettlementSums>> = {
  Sale: 'sales',
  Capture: 'sales',
  Refund: 'refunds',
  UnreferencedRefund: 'refunds',
  Return: 'returns',
  Chargeback: 'chargebacks',
};

const SUM_OF_FEE: Readonly<Record<FeeType, keyof SettlementSums>> = {
  Interchange: 'interchange',
  Scheme: 'scheme',
  Markup: 'markup',
};

/** The fee of an item under a template, without its id. Undefined if it costs nothing: a refund, or no rule fits. */
export function feeOfItem(
  pricing: SettlementPricing | undefined,
  item: Pick<SettledItem, 'type' | 'amount' | 'channel' | 'cardType'>,
): Omit<ItemFee, 'feeId'> | undefined {
  if (!pricing) return undefined;
  switch (item.type) {
    case 'Sale':
    case 'Capture':
      return feeOf('Transaction', feeLines(pricing.rules, item));
    case 'Return':
      return feeOf('Return', flatFee(pricing.returnFee));
    case 'Chargeback':
      return feeOf('Chargeback', flatFee(pricing.chargebackFee));
    default:
      return undefined;
  }
}

function feeOf(source: ItemFee['source'], lines: readonly FeeLine[]): Omit<ItemFee, 'feeId'> | undefined {
  if (lines.length === 0) return undefined;
  return { source, amount: sumOfAmounts(lines), lines };
}

function flatFee(fixedAmount: Cents): FeeLine[] {
  return fixedAmount === 0 ? [] : [{ type: 'Markup', rateBps: 0, fixedAmount, amount: fixedAmount }];
}

/** `sums` and further items. */
export function addItems(sums: SettlementSums, items: readonly SettledItem[]): SettlementSums {
  const next: Record<keyof SettlementSums, ItemTotals> = { ...sums };
  const add = (name: keyof SettlementSums, amount: Cents): void => {
    const { count, amount: before } = next[name];
    next[name] = { count: count + 1, amount: before + amount };
  };
  for (const { type, amount, fee } of items) {
    add(SUM_OF_ITEM[type], amount);
    if (fee?.source === 'Return') add('returnFees', fee.amount);
    else if (fee?.source === 'Chargeback') add('chargebackFees', fee.amount);
    else for (const line of fee?.lines ?? []) add(SUM_OF_FEE[line.type], line.amount);
  }
  return next;
}

/** The lines, without those that count nothing. With `Gross` funding fees of payments are not among them. */
export function settlementLines(
  { fundingType, adjustments }: Pick<SettlementStarted, 'fundingType' | 'adjustments'>,
  sums: SettlementSums,
): SettlementLine[] {
  const items: SettlementLine[] = [
    { type: 'Sales', ...sums.sales },
    { type: 'Refunds', ...sums.refunds },
    { type: 'Returns', ...sums.returns },
    { type: 'Chargebacks', ...sums.chargebacks },
  ];
  const fees: SettlementLine[] = [
    ...FEE_TYPES.map((feeType) => ({ type: 'Fees', feeType, ...debit(sums[SUM_OF_FEE[feeType]]) }) as const),
    { type: 'ReturnFees', ...debit(sums.returnFees) },
    { type: 'ChargebackFees', ...debit(sums.chargebackFees) },
  ];
  return [...items, ...(fundingType === 'Net' ? fees : []), ...adjustments.map(adjustmentLine)].filter(
    ({ count }) => count > 0,
  );
}

const LINE_OF_ADJUSTMENT = {
  MonthlyFee: 'MonthlyFee',
  MonthFees: 'MonthFees',
  Manual: 'Adjustment',
} as const;

function adjustmentLine({ kind, amount, month, reason }: Adjustment): SettlementLine {
  return {
    type: LINE_OF_ADJUSTMENT[kind],
    ...(month !== undefined && { month }),
    ...(reason !== undefined && { reason }),
    count: 1,
    amount,
  };
}

/** `amount` = `grossAmount` − `refundAmount` − `feeAmount` (only with `Net`) + `adjustmentAmount`. */
export function settlementTotals(
  { fundingType, adjustments }: Pick<SettlementStarted, 'fundingType' | 'adjustments'>,
  sums: SettlementSums,
): SettlementTotals {
  const { sales, refunds, returns, chargebacks } = sums;
  const isNet = fundingType === 'Net';
  const monthlyFees = adjustments.filter(({ kind }) => isNet && kind === 'MonthlyFee');
  const grossAmount = sales.amount;
  const refundAmount = withoutSign(-refunds.amount);
  const feeAmount = feesOfItems(sums) - sumOfAmounts(monthlyFees);
  const adjustmentAmount =
    returns.amount + chargebacks.amount + sumOfAmounts(adjustments) - sumOfAmounts(monthlyFees);
  return {
    amount: grossAmount - refundAmount - (isNet ? feeAmount : 0) + adjustmentAmount,
    grossAmount,
    refundAmount,
    feeAmount,
    adjustmentAmount,
    transactionCount: sales.count + refunds.count + returns.count + chargebacks.count,
  };
}

/** Of sales, captures, returns and chargebacks; positive cents. */
export function feesOfItems(sums: SettlementSums): Cents {
  const { interchange, scheme, markup, returnFees, chargebackFees } = sums;
  return sumOfAmounts([interchange, scheme, markup, returnFees, chargebackFees]);
}

export function sumOfAmounts(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}

function debit({ count, amount }: ItemTotals): ItemTotals {
  return { count, amount: withoutSign(-amount) };
}

/** 0 instead of -0, which JSON can not hold. */
function withoutSign(amount: number): number {
  return amount === 0 ? 0 : amount;
}

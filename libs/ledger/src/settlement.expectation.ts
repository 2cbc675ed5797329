import type { Cents, FeeType, FundingType, Adjustment } from '@tillstream/domain';
import type { CalculatedFee } from './fee.calculation.js';
import type { ItemType } from './payment.items.js';

/* What a settlement has to say, from the counts and amounts of its parts. */

export interface PartSum {
  readonly count: number;
  /** Signed cents; fees are positive. */
  readonly amount: Cents;
}

export const SETTLEMENT_PARTS = [
  'sales',
  'refunds',
  'returns',
  'chargebacks',
  'interchange',
  'scheme',
  'markup',
  'returnFees',
  'chargebackFees',
] as const;
export type SettlementPart = (typeof SETTLEMENT_PARTS)[number];

const PART_OF_ITEM: Readonly<Record<ItemType, SettlementPart>> = {
  Sale: 'sales',
  Capture: 'sales',
  Refund: 'refunds',
  UnreferencedRefund: 'refunds',
  Return: 'returns',
  Chargeback: 'chargebacks',
};
const PART_OF_FEE: Readonly<Record<FeeType, SettlementPart>> = {
  Interchange: 'interchange',
  Scheme: 'scheme',
  Markup: 'markup',
};
export const FEE_PARTS = ['interchange', 'scheme', 'markup', 'returnFees', 'chargebackFees'] as const;

export function partOfItem(type: ItemType): SettlementPart {
  return PART_OF_ITEM[type];
}

/** The part of each line of a fee, with its amount. */
export function partsOfFee({ source, lines }: CalculatedFee): (readonly [SettlementPart, Cents])[] {
  if (source === 'Return') return lines.map(({ amount }) => ['returnFees', amount]);
  if (source === 'Chargeback') return lines.map(({ amount }) => ['chargebackFees', amount]);
  return lines.map(({ type, amount }) => [PART_OF_FEE[type], amount]);
}

export type SettlementParts = Readonly<Partial<Record<SettlementPart, PartSum>>>;

export interface SettlementFacts {
  readonly fundingType: FundingType;
  readonly parts: SettlementParts;
  readonly adjustments: readonly Pick<Adjustment, 'kind' | 'amount' | 'month' | 'reason'>[];
}

export interface ExpectedSettlement {
  readonly amount: Cents;
  readonly grossAmount: Cents;
  readonly refundAmount: Cents;
  readonly feeAmount: Cents;
  readonly adjustmentAmount: Cents;
  readonly transactionCount: number;
}

/** `amount` = `grossAmount` − `refundAmount` − `feeAmount` (with `Net`) + `adjustmentAmount`. */
export function expectedSettlement({ fundingType, parts, adjustments }: SettlementFacts): ExpectedSettlement {
  const amountOf = (part: SettlementPart): Cents => parts[part]?.amount ?? 0;
  let fees = FEE_PARTS.reduce((sum, part) => sum + amountOf(part), 0);
  let adjusted = amountOf('returns') + amountOf('chargebacks');
  for (const { kind, amount } of adjustments) {
    if (kind === 'MonthlyFee' && fundingType === 'Net') fees -= amount;
    else adjusted += amount;
  }
  const grossAmount = amountOf('sales');
  const refundAmount = 0 - amountOf('refunds');
  const paidFees = fundingType === 'Net' ? fees : 0;
  const items = (['sales', 'refunds', 'returns', 'chargebacks'] as const).map(
    (part) => parts[part]?.count ?? 0,
  );
  return {
    amount: grossAmount - refundAmount - paidFees + adjusted,
    ...{ grossAmount, refundAmount, feeAmount: fees, adjustmentAmount: adjusted },
    transactionCount: items.reduce((sum, count) => sum + count, 0),
  };
}

/** `Sales 3 12000`: the lines as texts of name, count and signed amount, in any order. */
export function expectedLines({ fundingType, parts, adjustments }: SettlementFacts): string[] {
  const lines: (readonly [string, PartSum | undefined, 1 | -1])[] = [
    ['Sales', parts.sales, 1],
    ['Refunds', parts.refunds, 1],
    ['Returns', parts.returns, 1],
    ['Chargebacks', parts.chargebacks, 1],
  ];
  if (fundingType === 'Net') {
    lines.push(['Fees Interchange', parts.interchange, -1], ['Fees Scheme', parts.scheme, -1]);
    lines.push(['Fees Markup', parts.markup, -1], ['ReturnFees', parts.returnFees, -1]);
    lines.push(['ChargebackFees', parts.chargebackFees, -1]);
  }
  const ofParts = lines.flatMap(([name, sum, sign]) =>
    sum === undefined || sum.count === 0 ? [] : [`${name} ${sum.count} ${0 + sign * sum.amount}`],
  );
  return [...ofParts, ...adjustments.map(({ kind, amount }) => `${NAME_OF_ADJUSTMENT[kind]} 1 ${amount}`)];
}

const NAME_OF_ADJUSTMENT = {
  MonthlyFee: 'MonthlyFee',
  MonthFees: 'MonthFees',
  Manual: 'Adjustment',
} as const;

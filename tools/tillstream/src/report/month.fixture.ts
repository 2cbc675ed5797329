import type { FeeCharge, SettlementLine } from '@tillstream/contracts';
import type { MonthReading, SettledMonthPart } from './month.types.js';
import { addFee, addRow, CardSums, feeTotal, NO_FEES, NO_ROWS } from './sums.js';

/* A month of a shop, for tests of the page: its settlements say what their rows give. */

export interface DayOfShop {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly sales: readonly number[];
  readonly refunds?: readonly number[];
  readonly chargebacks?: readonly number[];
  readonly isFunded?: boolean;
}

const CARDS = ['VISA', 'MASTERCARD', 'AMEX'];
const RATE_BPS = 180;
const FIXED = 15;

export function monthOf(days: readonly DayOfShop[], fundingType: 'Net' | 'Gross' = 'Net'): MonthReading {
  const cards = new CardSums();
  const settlements = days.map((one, index) => settlementOf(one, { index, fundingType, cards }));
  return { settlements, cards: cards.all() };
}

/** Sales on every weekday of a month, refunds on Fridays, and a chargeback that makes one settlement negative. */
export function busyMonth(month = '2026-11'): MonthReading {
  const days = Array.from({ length: 30 }, (_, index): DayOfShop => {
    const day = `${month}-${String(index + 1).padStart(2, '0')}`;
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const sales = Array.from(
      { length: 3 + ((index * 7) % 5) },
      (_sale, sale) => 1_900 + ((index * 731 + sale * 977) % 9_000),
    );
    return {
      day,
      sales: index === 12 ? [] : sales,
      ...(weekday === 5 && { refunds: [2_500 + index * 100] }),
      ...(index === 12 && { chargebacks: [18_400] }),
      isFunded: index < 24,
    };
  });
  return monthOf(days.filter(({ day }) => new Date(`${day}T00:00:00Z`).getUTCDay() !== 0));
}

function settlementOf(
  { day, sales, refunds = [], chargebacks = [], isFunded = false }: DayOfShop,
  {
    index,
    fundingType,
    cards,
  }: { readonly index: number; readonly fundingType: 'Net' | 'Gross'; readonly cards: CardSums },
): SettledMonthPart {
  const id = `stl_${String(index).padStart(26, '0')}`;
  const row = (transactionType: 'Sale' | 'Refund' | 'Chargeback', settledAmount: number) => ({
    settlement: { id },
    ...({
      transactionId: '',
      batchId: '',
      currency: 'USD',
      transactionType,
      settledAmount,
      settledAt: day,
    } as const),
  });
  const rows = [
    ...sales.map((amount) => row('Sale', amount)),
    ...refunds.map((amount) => row('Refund', -amount)),
    ...chargebacks.map((amount) => row('Chargeback', -amount)),
  ].reduce(addRow, NO_ROWS);
  const charges = sales.map((amount) => chargeOf(amount, fundingType));
  for (const [number, charge] of charges.entries())
    cards.add(CARDS[(index + number) % CARDS.length] ?? '', charge);
  const fees = charges.reduce(addFee, NO_FEES);
  const taken = fundingType === 'Net' ? feeTotal(fees) : 0;
  const { chargebacks: debits, sales: sold, refunds: back } = rows;
  const amount = sold.amount + back.amount + debits.amount - taken;
  const lines: SettlementLine[] = [
    { type: 'Sales', description: 'Sales and captures', ...sold },
    { type: 'Refunds', description: 'Refunds', ...back },
    { type: 'Chargebacks', description: 'Chargebacks', ...debits },
    { type: 'Fees', description: 'Interchange fees', count: charges.length, amount: -taken },
  ];
  return {
    day,
    rows,
    fees,
    lines: lines.filter(({ count }) => count > 0),
    summary: {
      ...({ id, merchantId: 'mer_0', currency: 'USD', fundingType, amount, netAmount: amount } as const),
      status: isFunded ? 'Funded' : 'Pending',
      grossAmount: sold.amount,
      refundAmount: back.amount === 0 ? 0 : -back.amount,
      feeAmount: feeTotal(fees),
      adjustmentAmount: debits.amount,
      transactionCount: sales.length + refunds.length + chargebacks.length,
      batchIds: [],
      createdAt: `${day}T23:00:01.000Z`,
      expectedFundingDate: day,
      ...(isFunded && { fundedAt: `${day}T23:30:00.000Z` }),
    },
  };
}

function chargeOf(amount: number, fundingType: 'Net' | 'Gross'): FeeCharge {
  const fee = Math.round((amount * RATE_BPS) / 10_000) + FIXED;
  return {
    ...({ id: 'fee_0', source: 'Transaction', currency: 'USD', settlementId: null, amount: fee } as const),
    status: fundingType === 'Net' ? 'Charged' : 'Pending',
    feeBreakdown: [{ type: 'Interchange', rateBps: RATE_BPS, fixedAmount: FIXED, amount: fee }],
  };
}

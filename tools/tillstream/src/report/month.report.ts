import type { CardFees, FeeSums, FeeType, MonthReading, SettledMonthPart, Sum } from './month.types.js';
import { FEE_TYPES } from './month.types.js';
import { adjustmentLines } from './month.check.js';
import { feeTotal } from './sums.js';

/* The figures of the page, all calculated from the rows of the settlements. Signed cents; fees are positive. */

export interface Figures {
  readonly gross: number;
  readonly refunds: number;
  /** Taken off the settlements. */
  readonly fees: number;
  /** With `Gross` funding: not taken off, but charged at the end of the month. */
  readonly feesOfMonth: number;
  /** Returns, chargebacks and other adjustments, signed. */
  readonly adjustments: number;
  readonly net: number;
}

export interface DayFigures extends Figures {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly settlements: number;
  readonly transactions: number;
}

export interface LineFigures extends Sum {
  readonly description: string;
}

export interface FundingFigures extends Sum {
  readonly negative: Sum;
}

export interface MonthReport {
  readonly settlements: readonly (SettledMonthPart & { readonly figures: Figures })[];
  /** Every day of the month, those without a settlement too. */
  readonly days: readonly DayFigures[];
  readonly totals: DayFigures;
  /** Over all settlements, by type and description. */
  readonly lines: readonly LineFigures[];
  readonly feesByType: readonly LineFigures[];
  readonly cards: readonly CardFees[];
  readonly pending: FundingFigures;
  readonly funded: FundingFigures;
  /** Fees that are not charged yet. */
  readonly pendingFees: Sum;
}

const NONE: Sum = { count: 0, amount: 0 };
const add = (a: Sum, b: Sum): Sum => ({ count: a.count + b.count, amount: a.amount + b.amount });

export function reportOf({ settlements, cards }: MonthReading, month: string): MonthReport {
  const parts = settlements.map((part) => ({ ...part, figures: figuresOf(part) }));
  const days = daysOfMonth(month).map((day) =>
    together(
      day,
      parts.filter((part) => part.day === day),
    ),
  );
  return {
    settlements: parts,
    days,
    totals: together(month, parts),
    lines: linesOf(parts),
    feesByType: feesByType(parts.map(({ fees }) => fees)),
    cards,
    pending: fundingOf(parts.filter(({ summary }) => summary.status === 'Pending')),
    funded: fundingOf(parts.filter(({ summary }) => summary.status === 'Funded')),
    pendingFees: parts.reduce((sum, { fees }) => add(sum, fees.pending), NONE),
  };
}

function figuresOf({ summary, rows, fees, lines }: SettledMonthPart): Figures {
  const all = feeTotal(fees);
  const isNet = summary.fundingType === 'Net';
  const gross = rows.sales.amount;
  const refunds = -rows.refunds.amount;
  const adjustments = rows.returns.amount + rows.chargebacks.amount + adjustmentLines({ summary, lines });
  const taken = isNet ? all : 0;
  return {
    ...{ gross, refunds, adjustments },
    fees: taken,
    feesOfMonth: all - taken,
    net: gross - refunds - taken + adjustments,
  };
}

type Part = MonthReport['settlements'][number];

function together(day: string, parts: readonly Part[]): DayFigures {
  const sum = (value: (part: Part) => number): number =>
    parts.reduce((total, part) => total + value(part), 0);
  return {
    day,
    settlements: parts.length,
    transactions: sum(({ rows }) => Object.values(rows).reduce((count, one) => count + one.count, 0)),
    gross: sum(({ figures }) => figures.gross),
    refunds: sum(({ figures }) => figures.refunds),
    fees: sum(({ figures }) => figures.fees),
    feesOfMonth: sum(({ figures }) => figures.feesOfMonth),
    adjustments: sum(({ figures }) => figures.adjustments),
    net: sum(({ figures }) => figures.net),
  };
}

function daysOfMonth(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

const LINE_ORDER: readonly string[] = [
  'Sales',
  'Refunds',
  'Returns',
  'Chargebacks',
  'Fees',
  'ReturnFees',
  'ChargebackFees',
  'MonthlyFee',
  'MonthFees',
  'Adjustment',
];

function linesOf(parts: readonly Part[]): LineFigures[] {
  const found = new Map<string, LineFigures & { readonly order: number }>();
  for (const { type, description, count, amount } of parts.flatMap(({ lines }) => lines)) {
    const before = found.get(`${type} ${description}`) ?? {
      ...NONE,
      description,
      order: LINE_ORDER.indexOf(type),
    };
    found.set(`${type} ${description}`, { ...before, ...add(before, { count, amount }) });
  }
  return [...found.values()].sort((a, b) => a.order - b.order);
}

function feesByType(fees: readonly FeeSums[]): LineFigures[] {
  const total = (description: string, pick: (one: FeeSums) => Sum): LineFigures => ({
    description,
    ...fees.map(pick).reduce(add, NONE),
  });
  const ofPayments = FEE_TYPES.map((type: FeeType) => total(type, ({ byType }) => byType[type]));
  const others = [
    total('Returns', ({ returns }) => returns),
    total('Chargebacks', ({ chargebacks }) => chargebacks),
    total('Month', ({ monthly }) => monthly),
  ];
  return [...ofPayments, ...others].filter(({ count }) => count > 0);
}

function fundingOf(parts: readonly Part[]): FundingFigures {
  const total = (some: readonly Part[]): Sum => ({
    count: some.length,
    amount: some.reduce((sum, { figures }) => sum + figures.net, 0),
  });
  return { ...total(parts), negative: total(parts.filter(({ figures }) => figures.net < 0)) };
}

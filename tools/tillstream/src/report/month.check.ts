import { FEE_TYPES, type SettledMonthPart } from './month.types.js';
import { feeTotal } from './sums.js';

type Figure = readonly [what: string, shown: number, counted: number];

/**
 * Compares what a settlement says with its rows. Each difference is a sentence; a settlement that is right has none.
 * @param format cents as text
 */
export function differencesOf(part: SettledMonthPart, format: (cents: number) => string): string[] {
  const amounts = [...totals(part), ...lines(part), ...monthEnd(part)];
  const counts: Figure[] = [['transactions', part.summary.transactionCount, countedRows(part)]];
  const { id } = part.summary;
  const { unequal } = part.fees;
  return [
    ...amounts
      .filter(differs)
      .map(([what, shown, counted]) => sentence(id, what, format(shown), format(counted))),
    ...counts
      .filter(differs)
      .map(([what, shown, counted]) => sentence(id, what, String(shown), String(counted))),
    ...(unequal > 0 ? [`${id}: ${unequal} of its fee charges are not the sum of their lines.`] : []),
  ];
}

const differs = ([, shown, counted]: Figure): boolean => shown !== counted;

const sentence = (id: string, what: string, shown: string, counted: string): string =>
  `${id}: its ${what} is ${shown}, and its rows give ${counted}.`;

function countedRows({ rows }: SettledMonthPart): number {
  return Object.values(rows).reduce((sum, { count }) => sum + count, 0);
}

function totals({ summary, rows, fees, lines: all }: SettledMonthPart): Figure[] {
  const { fundingType, grossAmount, refundAmount, feeAmount, adjustmentAmount, amount, netAmount } = summary;
  const adjustments =
    rows.returns.amount + rows.chargebacks.amount + adjustmentLines({ summary, lines: all });
  const fee = feeTotal(fees);
  const gross = rows.sales.amount;
  const paidOut = gross + rows.refunds.amount - (fundingType === 'Net' ? fee : 0) + adjustments;
  return [
    ['grossAmount', grossAmount, gross],
    ['refundAmount', -refundAmount, rows.refunds.amount],
    ['feeAmount', feeAmount, fee],
    ['adjustmentAmount', adjustmentAmount, adjustments],
    ['amount', amount, paidOut],
    ['netAmount', netAmount, paidOut],
    ['amount by its lines', all.reduce((sum, line) => sum + line.amount, 0), paidOut],
  ];
}

/** Adjustments that are of no transaction. With `Net` funding the fee of a month is a fee. */
export function adjustmentLines({
  summary,
  lines: all,
}: Pick<SettledMonthPart, 'summary' | 'lines'>): number {
  const types = summary.fundingType === 'Net' ? ['Adjustment'] : ['Adjustment', 'MonthFees', 'MonthlyFee'];
  return all.filter(({ type }) => types.includes(type)).reduce((sum, { amount }) => sum + amount, 0);
}

function lines({ summary, rows, fees, lines: all }: SettledMonthPart): Figure[] {
  const shown = (type: string): number =>
    all.filter((line) => line.type === type).reduce((sum, { amount }) => sum + amount, 0);
  const items: Figure[] = [
    ['line of sales', shown('Sales'), rows.sales.amount],
    ['line of refunds', shown('Refunds'), rows.refunds.amount],
    ['line of returns', shown('Returns'), rows.returns.amount],
    ['line of chargebacks', shown('Chargebacks'), rows.chargebacks.amount],
  ];
  if (summary.fundingType === 'Gross') return items;
  const ofPayments = FEE_TYPES.reduce((sum, type) => sum + fees.byType[type].amount, 0);
  return [
    ...items,
    ['lines of fees', -shown('Fees'), ofPayments],
    ['line of fees of returns', -shown('ReturnFees'), fees.returns.amount],
    ['line of fees of chargebacks', -shown('ChargebackFees'), fees.chargebacks.amount],
    ['line of monthly fees', -shown('MonthlyFee'), fees.monthly.amount],
  ];
}

/** With `Gross` funding the fees of a month are charged with one settlement. */
function monthEnd({ lines: all, chargedHere }: SettledMonthPart): Figure[] {
  if (!chargedHere) return [];
  const shown = (type: string): number =>
    -all.filter((line) => line.type === type).reduce((sum, { amount }) => sum + amount, 0);
  return [
    ['line of the fees of a month', shown('MonthFees'), chargedHere.month.amount],
    ['line of monthly fees', shown('MonthlyFee'), chargedHere.monthly.amount],
  ];
}

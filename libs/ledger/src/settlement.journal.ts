import type { Cents, FeeType, FundingType, Adjustment } from '@tillstream/domain';
import type { CalculatedFee } from './fee.calculation.js';
import { transfer, type JournalEntry, type LedgerAccount, type LedgerOwner } from './journal.entry.js';

/* Entries of fees, adjustments and payments to merchants. */

const EARNED: Readonly<Record<FeeType, LedgerAccount>> = {
  Interchange: 'InterchangeFees',
  Scheme: 'SchemeFees',
  Markup: 'MarkupFees',
};

/** With `Net` the merchant pays a fee with the settlement; with `Gross` it is due until the end of the month. */
export function feeEntries(
  owner: LedgerOwner,
  source: string,
  fundingType: FundingType,
  fee: CalculatedFee,
): JournalEntry[] {
  const paidBy = fundingType === 'Net' ? 'Payable' : 'FeesDue';
  return fee.lines
    .filter(({ amount }) => amount !== 0)
    .map(({ type, amount }) => transfer(owner, source, [paidBy, earnedBy(fee, type)], amount));
}

function earnedBy({ source }: CalculatedFee, type: FeeType): LedgerAccount {
  if (source === 'Return') return 'ReturnFees';
  return source === 'Chargeback' ? 'ChargebackFees' : EARNED[type];
}

const CONTRA: Readonly<Record<Adjustment['kind'], LedgerAccount>> = {
  MonthlyFee: 'MonthlyFees',
  MonthFees: 'FeesDue',
  Manual: 'Adjustments',
};

/** An adjustment is signed: a fee is negative, and makes less payable. */
export function adjustmentEntries(
  owner: LedgerOwner,
  { adjustmentId, kind, amount }: Pick<Adjustment, 'adjustmentId' | 'kind' | 'amount'>,
): JournalEntry[] {
  return amount === 0 ? [] : [transfer(owner, adjustmentId, [CONTRA[kind], 'Payable'], amount)];
}

/** A settlement was paid out. A negative amount is paid by the merchant. */
export function fundingEntries(owner: LedgerOwner, settlementId: string, amount: Cents): JournalEntry[] {
  return amount === 0 ? [] : [transfer(owner, settlementId, ['Payable', 'PaidOut'], amount)];
}

import type { Cents, Currency } from '@tillstream/domain';

/* Double entry. Amounts are signed cents: a debit is positive, a credit is negative. */

/** The accounts of a merchant in one currency. Each comment says what its balance is. */
export const ACCOUNTS = [
  /** Debit: held by issuers, not captured and not released. `IssuerHolds` is its other side. */
  'Authorized',
  'IssuerHolds',
  /** Debit: what processors and banks owe for captures, minus what was given or taken back. */
  'Receivable',
  /** Credit: sales and captures minus their voids, as far as no batch took them. */
  'Captured',
  /** Debit: refunds that no batch took. */
  'Refunded',
  /** Debit: returns by banks that no batch took. */
  'Returned',
  /** Debit: chargebacks that no batch took. */
  'ChargedBack',
  /** Credit: executed after the operation had ended, and not reversed yet. Not the merchant's money. */
  'LateExecuted',
  /** Credit: owed to the merchant for what batches took, after fees and adjustments, and not paid out. */
  'Payable',
  /** Credit: paid out. */
  'PaidOut',
  /** Debit: fees of Gross settlements that wait for the end of the month. */
  'FeesDue',
  /** Credit: fees earned. */
  'InterchangeFees',
  'SchemeFees',
  'MarkupFees',
  'ReturnFees',
  'ChargebackFees',
  'MonthlyFees',
  /** The other side of an operator's adjustments. */
  'Adjustments',
] as const;

export type LedgerAccount = (typeof ACCOUNTS)[number];

export interface LedgerOwner {
  readonly merchantId: string;
  readonly currency: Currency;
}

export interface Posting {
  readonly account: LedgerAccount;
  readonly amount: Cents;
}

export interface JournalEntry extends LedgerOwner {
  /** The id of the operation, item or settlement that it follows from. */
  readonly source: string;
  /** They add up to 0. */
  readonly postings: readonly Posting[];
}

/** An entry of two postings. A negative amount turns them around. */
export function transfer(
  { merchantId, currency }: LedgerOwner,
  source: string,
  [debit, credit]: readonly [debit: LedgerAccount, credit: LedgerAccount],
  amount: Cents,
): JournalEntry {
  const postings = [
    { account: debit, amount },
    { account: credit, amount: -amount },
  ];
  return { merchantId, currency, source, postings };
}

/** The sum of an entry's postings to an account, signed cents. */
export function postedTo({ postings }: JournalEntry, account: LedgerAccount): Cents {
  return postings.reduce((sum, posting) => (posting.account === account ? sum + posting.amount : sum), 0);
}

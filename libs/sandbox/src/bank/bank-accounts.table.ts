import type { ReturnCode } from './return-codes.table.js';

/** An account of the simulated bank. It approves, unless `declines` is set. */
export interface SandboxBankAccount {
  readonly number: string;
  readonly declines?: ReturnCode;
  /** The bank approves, and takes the money back later. */
  readonly returns?: ReturnCode;
  /** The bank approves, and sends a notice of change with this account number. */
  readonly correctedNumber?: string;
}

/**
 * The bank looks up the account number alone: any routing number (ACH), and any institution and transit (EFT), lead here.
 * No two accounts have the same last four digits, so these identify the account in the ledger's file.
 */
export const BANK_ACCOUNTS: readonly SandboxBankAccount[] = [
  { number: '000123456789' },
  { number: '000111111116', declines: 'R16' },
  { number: '000111111113', declines: 'R01' },
  { number: '000222222227', returns: 'R01' },
  { number: '000333333335', correctedNumber: '000123456789' },
];

/** The bank's answer to a payment of an account that is not in the table. */
export const UNKNOWN_ACCOUNT: ReturnCode = 'R03';

export const BANK_ACCOUNTS_BY_NUMBER: ReadonlyMap<string, SandboxBankAccount> = new Map(
  BANK_ACCOUNTS.map((account) => [account.number, account]),
);

export const BANK_ACCOUNTS_BY_LAST_FOUR: ReadonlyMap<string, SandboxBankAccount> = new Map(
  BANK_ACCOUNTS.map((account) => [account.number.slice(-4), account]),
);

import type { BankAccountDetails } from '@tillstream/processors';
import { parseSecretJson } from './vault.codec.js';

/* The text that the vault keeps for a stored bank account: JSON. Its holder's name is sealed beside it. */

type StoredAccount = Pick<BankAccountDetails, 'routingNumber' | 'accountNumber' | 'accountType'>;

export function encodeVaultAccount({ routingNumber, accountNumber, accountType }: StoredAccount): string {
  return JSON.stringify({ routingNumber, accountNumber, accountType });
}

/** @param name of the account's holder, from the sealed personal data */
export function decodeVaultAccount(text: string, name: string | undefined): BankAccountDetails {
  const account = parseSecretJson(text) as StoredAccount;
  return { ...account, ...(name !== undefined && { name }) };
}

/** Shows the last four digits, and of a number with less than eight at most its last half. */
export function maskedAccountNumber(accountNumber: string): string {
  const shown = Math.min(4, Math.floor(accountNumber.length / 2));
  const hidden = accountNumber.length - shown;
  return '*'.repeat(hidden) + accountNumber.slice(hidden);
}

/** Why a bank refuses or returns a payment: the codes of NACHA that this bank uses, with their reasons. */
export const RETURN_REASONS = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account or unable to locate account',
  R04: 'Invalid account number',
  R05: 'Unauthorized debit to consumer account',
  R07: 'Authorization revoked by customer',
  R08: 'Payment stopped',
  R09: 'Uncollected funds',
  R10: 'Customer advises not authorized',
  R16: 'Account frozen',
  R20: 'Non-transaction account',
  R29: 'Corporate customer advises not authorized',
} as const satisfies Readonly<Record<`R${string}`, string>>;

export type ReturnCode = keyof typeof RETURN_REASONS;

export function isReturnCode(code: string): code is ReturnCode {
  return Object.hasOwn(RETURN_REASONS, code);
}

import type { AccountHolder, PaymentMethodDetails } from '@tillstream/contracts';
import { pick, type HolderPersonal, type TokenPersonal } from '@tillstream/domain';
import { billingContactShape, applyTokenDetails } from './token.details.js';

/** The columns of a stored card or bank account that a list stores in clear. */
export type ListedToken = Readonly<Omit<PaymentMethodDetails, 'type' | 'billingContact' | 'cardExpDate'>>;

/**
 * An item of `GET /payment-methods/account-holder/{id}`. `personal` is the decrypted data; for a token from a terminal
 * the caller leaves out the billing contact.
 */
export function tokenListItem(
  { id, currency, ...listed }: ListedToken,
  personal: TokenPersonal = {},
): PaymentMethodDetails {
  const details = { id, ...pick(personal, 'cardExpDate', 'billingContact') };
  return applyTokenDetails({ id, type: 'Token', currency, ...listed }, details);
}

export interface HolderDetails {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly personal: HolderPersonal;
}

export function accountHolderShape({ id, personal, createdAt, updatedAt }: HolderDetails): AccountHolder {
  const { billingContact } = personal;
  return {
    id,
    ...pick(personal, 'externalId', 'name', 'email', 'phone'),
    ...(billingContact && { billingContact: billingContactShape(billingContact) }),
    createdAt,
    updatedAt,
  };
}

import type { AccountHolder, CurrencyCode, PaymentMethodDetails } from '@tillstream/contracts';
import type { HolderPersonal, TokenPersonal } from '@tillstream/domain';
import { billingContactShape, applyTokenDetails } from './token.details.js';

/** The columns of a stored card or bank account that a list stores in clear. */
export interface ListedToken {
  readonly id: string;
  readonly currency: CurrencyCode;
  readonly description?: string;
  readonly cardType?: string;
  readonly maskedCardNumber?: string;
  readonly accountType?: string;
  /** Masked. */
  readonly accountNumber?: string;
  readonly dateDeleted?: string;
}

/**
 * An item of `GET /payment-methods/account-holder/{id}`. `personal` is the decrypted data; for a token from a terminal
 * the caller leaves out the billing contact.
 */
export function tokenListItem(
  { id, currency, ...listed }: ListedToken,
  personal: TokenPersonal = {},
): PaymentMethodDetails {
  const { cardExpDate, billingContact } = personal;
  const details = {
    id,
    ...(cardExpDate !== undefined && { cardExpDate }),
    ...(billingContact && { billingContact }),
  };
  return applyTokenDetails({ id, type: 'Token', currency, ...listed }, details);
}

export interface HolderDetails {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly personal: HolderPersonal;
}

export function accountHolderShape({ id, personal, createdAt, updatedAt }: HolderDetails): AccountHolder {
  const { externalId, name, email, phone, billingContact } = personal;
  return {
    id,
    ...(externalId !== undefined && { externalId }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(billingContact && { billingContact: billingContactShape(billingContact) }),
    createdAt,
    updatedAt,
  };
}

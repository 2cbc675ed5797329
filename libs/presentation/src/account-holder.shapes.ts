import type { AccountHolder, CurrencyCode, PaymentMethodDetails } from '@tillstream/contracts';
import type { HolderPersonal, TokenPersonal } from '@tillstream/domain';
import { billingContactShape, applyTokenDetails } from './token.details.js';

/** What a list keeps of a stored card or bank account in the clear. */
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
 * An item of `GET /payment-methods/account-holder/{id}`. `personal` is what was opened; of a token made at a terminal the
 * caller gives it without the billing contact.
 */
export function tokenListItem(
  { id, currency, ...listed }: ListedToken,
  personal: TokenPersonal = {},
): PaymentMethodDetails {
  const { cardExpDate, billingContact } = personal;
  const facts = {
    id,
    ...(cardExpDate !== undefined && { cardExpDate }),
    ...(billingContact && { billingContact }),
  };
  return applyTokenDetails({ id, type: 'Token', currency, ...listed }, facts);
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

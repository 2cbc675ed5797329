import type { BillingContact, PaymentMethodDetails, TransactionResult } from '@tillstream/contracts';

/** What is known of a token beside a result that shows it: its removal, and what was opened of its personal data. */
export interface TokenDetails {
  /** `pmt_tkn_…`: facts of another token change nothing. */
  readonly id: string;
  /** RFC 3339: it was removed then. */
  readonly dateDeleted?: string;
  /** MMYY. */
  readonly cardExpDate?: string;
  /** Only where it may be shown: see `withTokenDetails`. */
  readonly billingContact?: BillingContact;
}

/**
 * The result with each payment method that is this token brought up to date, at the top as in its responses; the result
 * itself stays as it is. `docs/spec/payment-methods.md#payment-method-object`: a removed token shows when, and no
 * longer its number (of a card or bank account), expiry or billing contact. That is never undone, so facts that are
 * older than the result do no harm.
 *
 * The caller decides which facts to give. A billing contact is never shown of what happened at a terminal: not of a
 * token made there, its operations and payments, nor of the captures and refunds of card-present payments
 * (`docs/spec/payment-methods.md#billing-contact`).
 */
export function withTokenDetails(result: TransactionResult, facts: TokenDetails): TransactionResult {
  return {
    ...result,
    transactionResponses: result.transactionResponses.map((response) => ({
      ...response,
      paymentMethod: applyTokenDetails(response.paymentMethod, facts),
    })),
    paymentMethod: applyTokenDetails(result.paymentMethod, facts),
  };
}

/** Always in the order of `PaymentMethodDetails`. */
export function applyTokenDetails(method: PaymentMethodDetails, facts: TokenDetails): PaymentMethodDetails {
  if (method.type !== 'Token' || method.id !== facts.id) return method;
  const { id, type, currency, description, cardType, accountType } = method;
  const dateDeleted = facts.dateDeleted ?? method.dateDeleted;
  const removed = dateDeleted !== undefined;
  const billingContact = facts.billingContact ?? method.billingContact;
  const cardExpDate = facts.cardExpDate ?? method.cardExpDate;
  const { maskedCardNumber, accountNumber } = method;
  return {
    id,
    type,
    currency,
    ...(description !== undefined && { description }),
    ...(removed && { dateDeleted }),
    ...(!removed && billingContact && { billingContact: billingContactShape(billingContact) }),
    ...(cardType !== undefined && { cardType }),
    ...(!removed && maskedCardNumber !== undefined && { maskedCardNumber }),
    ...(!removed && cardExpDate !== undefined && { cardExpDate }),
    ...(accountType !== undefined && { accountType }),
    ...(!removed && accountNumber !== undefined && { accountNumber }),
  };
}

/** The fields that there are, always in the order of `docs/spec/payment-methods.md#payment-method-object`. */
export function billingContactShape(contact: BillingContact): BillingContact {
  const { name, countryCode, zipCode, address, state, city, address2 } = contact;
  return {
    ...(name !== undefined && { name }),
    ...(countryCode !== undefined && { countryCode }),
    ...(zipCode !== undefined && { zipCode }),
    ...(address !== undefined && { address }),
    ...(state !== undefined && { state }),
    ...(city !== undefined && { city }),
    ...(address2 !== undefined && { address2 }),
  };
}

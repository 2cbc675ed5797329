import type { BillingContact, PaymentMethodDetails, TransactionResult } from '@tillstream/contracts';
import { pick } from '@tillstream/domain';

/** The removal of a token, and its decrypted personal data. */
export interface TokenDetails {
  /** `pmt_tkn_…`. Payment methods with another id stay unchanged. */
  readonly id: string;
  /** Time of the removal, RFC 3339. */
  readonly dateDeleted?: string;
  /** MMYY. */
  readonly cardExpDate?: string;
  /** Only if it may be shown: see `withTokenDetails`. */
  readonly billingContact?: BillingContact;
}

/**
 * A copy of the result in which each payment method that is this token has `details`, at the top and in the responses.
 * A removed token shows the time of its removal, and no number, expiry or billing contact
 * (`docs/spec/payment-methods.md#payment-method-object`). Details that are older than the result do not undo a removal.
 *
 * The caller leaves out the billing contact if the card was taken at a terminal: for such tokens, their operations and
 * payments, and for the captures and refunds of card-present payments
 * (`docs/spec/payment-methods.md#billing-contact`).
 */
export function withTokenDetails<
  Result extends Pick<TransactionResult, 'transactionResponses' | 'paymentMethod'>,
>(result: Result, details: TokenDetails): Result {
  return {
    ...result,
    transactionResponses: result.transactionResponses.map((response) => ({
      ...response,
      paymentMethod: applyTokenDetails(response.paymentMethod, details),
    })),
    paymentMethod: applyTokenDetails(result.paymentMethod, details),
  };
}

/** The fields keep the order of `PaymentMethodDetails`. */
export function applyTokenDetails(method: PaymentMethodDetails, details: TokenDetails): PaymentMethodDetails {
  if (method.type !== 'Token' || method.id !== details.id) return method;
  const dateDeleted = details.dateDeleted ?? method.dateDeleted;
  return dateDeleted === undefined ? tokenInUse(method, details) : removedToken(method, dateDeleted);
}

function tokenInUse(method: PaymentMethodDetails, details: TokenDetails): PaymentMethodDetails {
  const billingContact = details.billingContact ?? method.billingContact;
  const cardExpDate = details.cardExpDate ?? method.cardExpDate;
  const shown = {
    ...method,
    ...(billingContact && { billingContact: billingContactShape(billingContact) }),
    ...(cardExpDate !== undefined && { cardExpDate }),
  };
  return pick(
    shown,
    ...(['id', 'type', 'currency', 'description', 'billingContact'] as const),
    ...(['cardType', 'maskedCardNumber', 'cardExpDate', 'accountType', 'accountNumber'] as const),
  );
}

function removedToken(method: PaymentMethodDetails, dateDeleted: string): PaymentMethodDetails {
  const removed = { ...method, dateDeleted };
  return pick(removed, 'id', 'type', 'currency', 'description', 'dateDeleted', 'cardType', 'accountType');
}

/** The fields that are present, in the order of `docs/spec/payment-methods.md#payment-method-object`. */
export function billingContactShape(contact: BillingContact): BillingContact {
  return pick(contact, 'name', 'countryCode', 'zipCode', 'address', 'state', 'city', 'address2');
}

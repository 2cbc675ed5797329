import type { PaymentMethodDetails, PaymentMethodListItem } from '@tillstream/contracts';
import type { Payment, PaymentMethod, PaymentMethodSnapshot } from '@tillstream/domain';

/** An item of `GET /payment-methods`. */
export function paymentMethodListItem(method: PaymentMethod): PaymentMethodListItem {
  return {
    id: method.id,
    type: method.type,
    currency: method.currency,
    ...(method.description !== undefined && { description: method.description }),
    isDefault: method.isDefault,
  };
}

/**
 * The payment method of a result: as of the outcome, else as of the payment's request. A follow-up has no card of its
 * own, so it shows the card of the payment.
 */
export function paymentMethodDetails(
  payment: Payment,
  atOutcome?: PaymentMethodSnapshot,
): PaymentMethodDetails {
  const opening = payment.operations[0]?.responses[0]?.outcome.paymentMethod;
  return snapshotDetails({ ...payment.paymentMethod, ...opening, ...atOutcome });
}

/** The public part of a snapshot, without the sealed personal data. */
export function snapshotDetails(snapshot: PaymentMethodSnapshot): PaymentMethodDetails {
  const { id, type, currency, description, cardType, maskedCardNumber, accountType, accountNumber } =
    snapshot;
  return {
    id,
    type,
    currency,
    ...(description !== undefined && { description }),
    ...(cardType && { cardType }),
    ...(maskedCardNumber !== undefined && { maskedCardNumber }),
    ...(accountType && { accountType }),
    ...(accountNumber !== undefined && { accountNumber }),
  };
}

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
 * The method of a result: as it was when the outcome came, else as the payment began. Follow-ups need no card, so they
 * show the one that the payment was made with.
 */
export function paymentMethodDetails(
  payment: Payment,
  atOutcome?: PaymentMethodSnapshot,
): PaymentMethodDetails {
  const opening = payment.operations[0]?.responses[0]?.outcome.paymentMethod;
  return snapshotDetails({ ...payment.paymentMethod, ...opening, ...atOutcome });
}

/** What of a snapshot is public: personal data stays sealed. */
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

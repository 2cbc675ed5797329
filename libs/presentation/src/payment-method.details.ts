import type { PaymentMethodDetails, PaymentMethodListItem } from '@tillstream/contracts';
import { pick, type Payment, type PaymentMethod, type PaymentMethodSnapshot } from '@tillstream/domain';

/** An item of `GET /payment-methods`. */
export function paymentMethodListItem(method: PaymentMethod): PaymentMethodListItem {
  return pick(method, 'id', 'type', 'currency', 'description', 'isDefault');
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
  return pick(snapshot, ...SNAPSHOT_FIELDS);
}

const SNAPSHOT_FIELDS = [
  'id',
  'type',
  'currency',
  'description',
  'cardType',
  'maskedCardNumber',
  'accountType',
  'accountNumber',
] as const;

import type { PaymentMethodDetails, PaymentMethodListItem } from '@tillstream/contracts';
import {
  pick,
  type Operation,
  type Payment,
  type PaymentMethod,
  type PaymentMethodSnapshot,
} from '@tillstream/domain';

/** An item of `GET /payment-methods`. */
export function paymentMethodListItem(method: PaymentMethod): PaymentMethodListItem {
  return pick(method, 'id', 'type', 'currency', 'description', 'isDefault');
}

/**
 * The payment method of an operation's response: as of its outcome, else as of the payment's request. A follow-up has no card
 * of its own, so it shows the card of the payment. An attempt of a form that ended without its card, such as by 3-D Secure,
 * shows none: the payment may have been made with another one.
 */
export function paymentMethodDetails(
  payment: Payment,
  { originalId }: Pick<Operation, 'originalId'>,
  atOutcome?: PaymentMethodSnapshot,
): PaymentMethodDetails {
  const opening = originalId === undefined ? undefined : payment.operations[0]?.responses[0]?.outcome;
  return snapshotDetails({ ...payment.paymentMethod, ...opening?.paymentMethod, ...atOutcome });
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

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
  return snapshotDetails(atOutcome, opening?.paymentMethod, payment.paymentMethod);
}

/** The public part, without the sealed personal data: each field of the first snapshot that has it. */
export function snapshotDetails(
  ...snapshots: readonly [...(PaymentMethodSnapshot | undefined)[], PaymentMethodSnapshot]
): PaymentMethodDetails {
  const details: Record<string, string> = {};
  for (const field of SNAPSHOT_FIELDS) {
    const value = snapshots.find((snapshot) => snapshot?.[field] !== undefined)?.[field];
    if (value !== undefined) details[field] = value;
  }
  return details as unknown as PaymentMethodDetails;
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

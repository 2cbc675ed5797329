import { pick, type BillingContact } from '@tillstream/domain';
import type { PaymentSecret } from './attempt.aggregate.js';

/** The part of a billing contact that a processor gets, with the contact fields of a form. None of it is stored here. */
export function billingFields({
  billingContact,
  ...contact
}: {
  readonly billingContact?: BillingContact;
  readonly email?: string;
  readonly phone?: string;
}): Pick<PaymentSecret, 'billing'> {
  const reached = pick(contact, 'email', 'phone');
  if (!billingContact) return Object.keys(reached).length > 0 ? { billing: reached } : {};
  return { billing: { ...pick(billingContact, 'zipCode', 'address', 'countryCode'), ...reached } };
}

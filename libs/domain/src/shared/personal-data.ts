/*
 * The plaintext of `Encrypted`, as JSON: an event's `personal` before it is sealed. Storage: fields may be added, and no
 * field ever changes its meaning.
 */

/** Strings as the customer or the merchant gave them (`docs/spec/payment-methods.md#billing-contact`). */
export interface BillingContact {
  readonly name?: string;
  readonly countryCode?: string;
  readonly zipCode?: string;
  readonly address?: string;
  readonly state?: string;
  readonly city?: string;
  readonly address2?: string;
}

/** Of a stored card or bank account. */
export interface TokenPersonal {
  /** MMYY; a bank account has none. */
  readonly cardExpDate?: string;
  readonly billingContact?: BillingContact;
}

/** Of an account holder. */
export interface HolderPersonal {
  /** The merchant's own name for the holder. */
  readonly externalId?: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly billingContact?: BillingContact;
}

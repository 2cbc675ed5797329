export const PAYMENT_METHOD_TYPES = ['Physical', 'Virtual', 'VirtualAch', 'VirtualEft', 'Token'] as const;
export type PaymentMethodTypeName = 'Unknown' | (typeof PAYMENT_METHOD_TYPES)[number];

export const CURRENCIES = ['USD', 'CAD'] as const;
export type CurrencyCode = (typeof CURRENCIES)[number];

/** The payment method of a result, and an item of an account holder's list (`interface.md` 2.6). */
export interface PaymentMethodDetails {
  id: string;
  type: PaymentMethodTypeName;
  currency: CurrencyCode;
  description?: string;
  /** Only of a token that was removed; then without numbers, expiry and billing contact. */
  dateDeleted?: string;
  billingContact?: BillingContact;
  cardType?: string;
  maskedCardNumber?: string;
  /** MMYY. */
  cardExpDate?: string;
  accountType?: string;
  /** Masked. */
  accountNumber?: string;
}

/** Of a card or bank account that came in by a hosted form; never of one taken at a terminal. */
export interface BillingContact {
  name?: string;
  countryCode?: string;
  zipCode?: string;
  address?: string;
  state?: string;
  city?: string;
  address2?: string;
}

/** An item of `GET /payment-methods`. */
export interface PaymentMethodListItem {
  id: string;
  type: PaymentMethodTypeName;
  currency: CurrencyCode;
  description?: string;
  isDefault: boolean;
}

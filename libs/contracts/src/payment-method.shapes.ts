export const PAYMENT_METHOD_TYPES = ['Physical', 'Virtual', 'VirtualAch', 'VirtualEft', 'Token'] as const;
export type PaymentMethodTypeName = 'Unknown' | (typeof PAYMENT_METHOD_TYPES)[number];

export const CURRENCIES = ['USD', 'CAD'] as const;
export type CurrencyCode = (typeof CURRENCIES)[number];

/**
 * The payment method of a result, and an item of an account holder's list
 * (`docs/spec/payment-methods.md#payment-method-object`).
 */
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

/** Terminals and forms: what a merchant has, beside the tokens of its customers. */
export const OWN_PAYMENT_METHOD_TYPES = ['Physical', 'Virtual', 'VirtualAch', 'VirtualEft'] as const;
export const FORM_TYPES = ['Virtual', 'VirtualAch', 'VirtualEft'] as const;
export const BILLING_CAPTURE_LEVELS = ['Minimal', 'Full'] as const;
export const PII_FIELDS = ['Email', 'Phone'] as const;

/** What a form shows and asks for where a request does not say it (`docs/spec/hosted-form.md#form-settings`). */
export interface FormConfig {
  billingInfoCaptureLevel?: (typeof BILLING_CAPTURE_LEVELS)[number];
  enable3DSecure?: boolean;
  piiFields?: (typeof PII_FIELDS)[number][];
}

export interface FormSettings {
  formConfig?: FormConfig;
  /** Pages that the form may tell of its end: `https://shop.example`. */
  allowedOrigins?: string[];
}

export const FORM_TYPES = ['Virtual', 'VirtualAch', 'VirtualEft'] as const;
/** The types of terminals and forms, without the tokens of a merchant's customers. */
export const OWN_PAYMENT_METHOD_TYPES = ['Physical', ...FORM_TYPES] as const;
export const PAYMENT_METHOD_TYPES = [...OWN_PAYMENT_METHOD_TYPES, 'Token'] as const;
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
  /** Only of a removed token, which has no number, expiry or billing contact. */
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

/** Of a card or bank account from a hosted form, never from a terminal. */
export interface BillingContact {
  name?: string;
  countryCode?: string;
  zipCode?: string;
  address?: string;
  state?: string;
  city?: string;
  address2?: string;
}

/** An account holder, for its merchant (`docs/spec/payment-methods.md#account-holders`). */
export interface AccountHolder {
  id: string;
  externalId?: string;
  name?: string;
  email?: string;
  phone?: string;
  billingContact?: BillingContact;
  createdAt: string;
  updatedAt: string;
}

/** An item of `GET /payment-methods`. */
export interface PaymentMethodListItem extends Pick<
  PaymentMethodDetails,
  'id' | 'type' | 'currency' | 'description'
> {
  isDefault: boolean;
}

export const BILLING_CAPTURE_LEVELS = ['Minimal', 'Full'] as const;
export const PII_FIELDS = ['Email', 'Phone'] as const;

/** Defaults of a form, if a request does not set them (`docs/spec/hosted-form.md#form-settings`). */
export interface FormConfig {
  billingInfoCaptureLevel?: (typeof BILLING_CAPTURE_LEVELS)[number];
  enable3DSecure?: boolean;
  piiFields?: (typeof PII_FIELDS)[number][];
}

export interface FormSettings {
  formConfig?: FormConfig;
  /** Origins that the form may notify when it ends: `https://shop.example`. */
  allowedOrigins?: string[];
}

import type { CurrencyCode, FormSettings, PaymentMethodListItem } from './payment-method.shapes.js';

export const MERCHANT_STATUSES = ['Active', 'Disabled'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

export const FUNDING_TYPES = ['Net', 'Gross'] as const;
export type FundingType = (typeof FUNDING_TYPES)[number];

/** A merchant, for operators (`docs/spec/operators.md#merchants`). */
export interface Merchant {
  id: string;
  name: string;
  status: MerchantStatus;
  currencies: CurrencyCode[];
  /** IANA name. */
  timeZone: string;
  /** `HH:MM` in that zone, when the merchant's open batches close. */
  cutOff: string;
  /** `en` or `fr`, with or without a country: `fr-CA`. */
  locale: string;
  fundingType: FundingType;
  managedWebhooks: boolean;
  /** `dailyLimit`: cents per currency and day; absent: no limit. */
  unreferencedRefunds: { enabled: boolean; dailyLimit?: number };
  /** 0: no limit; absent: the service's default. */
  rateLimitPerSecond?: number;
  createdAt: string;
  /** The last change of settings or status. */
  updatedAt: string;
}

/** A terminal or form, for operators. */
export interface OperatorPaymentMethod extends CreatedPaymentMethod {
  disabled: boolean;
}

/** The response to the creation of a terminal or form: an item of `GET /payment-methods`, with form settings. */
export interface CreatedPaymentMethod extends PaymentMethodListItem, FormSettings {}

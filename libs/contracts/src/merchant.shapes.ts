import type { CurrencyCode, FormSettings, PaymentMethodListItem } from './payment-method.shapes.js';

export const MERCHANT_STATUSES = ['Active', 'Disabled'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

export const FUNDING_TYPES = ['Net', 'Gross'] as const;
export type FundingType = (typeof FUNDING_TYPES)[number];

/** A merchant as operators see it (`docs/spec/operators.md#merchants`). */
export interface Merchant {
  id: string;
  name: string;
  status: MerchantStatus;
  currencies: CurrencyCode[];
  /** IANA name. */
  timeZone: string;
  /** `HH:MM` in that zone: when the day's batches close. */
  cutOff: string;
  /** `en` or `fr`, with or without a country: `fr-CA`. */
  locale: string;
  fundingType: FundingType;
  managedWebhooks: boolean;
  /** `dailyLimit` in cents per currency and day; without it there is none. */
  unreferencedRefunds: { enabled: boolean; dailyLimit?: number };
  /** 0 is no limit; left out: the service's own. */
  rateLimitPerSecond?: number;
  createdAt: string;
  /** Of the last change of its settings or status. */
  updatedAt: string;
}

/** A terminal or form as operators see it, disabled or not. */
export interface OperatorPaymentMethod extends CreatedPaymentMethod {
  disabled: boolean;
}

/** The answer to the making of a terminal or form: an item of `GET /payment-methods`, with the settings of a form. */
export interface CreatedPaymentMethod extends PaymentMethodListItem, FormSettings {}

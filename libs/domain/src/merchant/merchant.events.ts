import type { Currency } from '../shared/codes.js';
import type { Cents } from '../shared/money.js';
import type { Event } from '../shared/event.shapes.js';

/* Storage: these shapes never change. Stream `merchant-<mer_ id>`: a merchant, its payment methods, the list of its keys. */

export type MerchantEvent =
  | Event<'MerchantCreated', MerchantCreated>
  | Event<'MerchantChanged', MerchantChanged>
  | Event<'MerchantDisabled', WithReason>
  | Event<'MerchantEnabled', WithReason>
  | Event<'PaymentMethodAdded', PaymentMethodAdded>
  | Event<'PaymentMethodChanged', PaymentMethodChanged>
  | Event<'ApiKeyIssued', ApiKeyIssued>
  | Event<'ApiKeyRevoked', ApiKeyRevoked>;

export interface MerchantSettings {
  readonly name: string;
  readonly currencies: readonly Currency[];
  /** IANA name. */
  readonly timeZone: string;
  /** `HH:MM` in that zone. */
  readonly cutOff: string;
  /** BCP 47; receipts of CAD merchants set to French are in French. */
  readonly locale: string;
  readonly fundingType: 'Net' | 'Gross';
  readonly managedWebhooks: boolean;
  readonly unreferencedRefunds: UnreferencedRefundSettings;
  /** 0: no limit; absent: the service's default. */
  readonly rateLimitPerSecond?: number;
}

export interface UnreferencedRefundSettings {
  readonly enabled: boolean;
  /** Cents per currency and day of the merchant's time zone; absent: no limit. */
  readonly dailyLimit?: Cents;
}

export interface MerchantCreated extends MerchantSettings {
  readonly at: string;
  readonly merchantId: string;
}

export type MerchantChanged = { readonly at: string } & Partial<MerchantSettings>;

export interface WithReason {
  readonly at: string;
  readonly reason?: string;
}

export type PaymentMethodType = 'Physical' | 'Virtual' | 'VirtualAch' | 'VirtualEft';

export interface PaymentMethodAdded {
  readonly at: string;
  readonly paymentMethodId: string;
  readonly type: PaymentMethodType;
  readonly currency: Currency;
  readonly description?: string;
  readonly isDefault: boolean;
  /** Defaults of a hosted form. */
  readonly formConfig?: {
    readonly billingInfoCaptureLevel?: 'Minimal' | 'Full';
    readonly enable3DSecure?: boolean;
    readonly piiFields?: readonly ('Email' | 'Phone')[];
  };
  readonly allowedOrigins?: readonly string[];
}

/** Version 2 added the currency. Operations that were requested before the change keep their currency. */
export interface PaymentMethodChanged {
  readonly at: string;
  readonly paymentMethodId: string;
  readonly currency?: Currency;
  readonly description?: string;
  readonly isDefault?: boolean;
  readonly disabled?: boolean;
  readonly formConfig?: NonNullable<PaymentMethodAdded['formConfig']>;
  readonly allowedOrigins?: readonly string[];
}

export interface ApiKeyIssued {
  readonly at: string;
  readonly keyId: string;
  /** SHA-256 of the key, hex; it names the key's own stream. */
  readonly keyHash: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly lastFour: string;
}

export interface ApiKeyRevoked {
  readonly at: string;
  readonly keyId: string;
}

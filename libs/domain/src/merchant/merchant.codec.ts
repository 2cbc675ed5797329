import { eventCodec } from '../shared/codec.js';
import type { Event } from '../payment/payment.events.js';
import type { MerchantEvent } from './merchant.events.js';

export const merchantCodec = eventCodec<MerchantEvent>({
  types: {
    MerchantCreated: [],
    MerchantChanged: [],
    MerchantDisabled: [],
    MerchantEnabled: [],
    PaymentMethodAdded: [],
    // Version 1 could not change the currency.
    PaymentMethodChanged: [(data) => data],
    ApiKeyIssued: [],
    ApiKeyRevoked: [],
  },
});

/** Stream `apikey-<SHA-256 of the key, hex>`: who a key is, found with nothing but the key. Admin keys have one too. */
export type ApiKeyEvent =
  | Event<
      'KeyActivated',
      {
        readonly at: string;
        readonly keyId: string;
        readonly name: string;
        readonly readOnly: boolean;
        /** Absent on an operator's key. */
        readonly merchantId?: string;
      }
    >
  | Event<'KeyRevoked', { readonly at: string }>;

export const apiKeyCodec = eventCodec<ApiKeyEvent>({ types: { KeyActivated: [], KeyRevoked: [] } });

/** Of a merchant that this service could have made. */
export function isMerchantId(text: string): boolean {
  return /^mer_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

export const merchantStream = (merchantId: string): string => `merchant-${merchantId}`;
export const apiKeyStream = (keyHash: string): string => `apikey-${keyHash}`;

import { eventCodec } from '../shared/codec.js';
import type { MerchantEvent } from './merchant.events.js';

/** Frozen examples of each version are in `fixtures/`. */
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

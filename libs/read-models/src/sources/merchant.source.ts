import { evolveMerchant, merchantCodec, noMerchant, type MerchantState } from '@tillstream/domain';
import { checkKnownEvent, decodeEvent, type StreamSource } from '../projections/row.projection.js';

export const MERCHANT_CATEGORY = 'merchant';

export const merchantSource: StreamSource<MerchantState> = {
  category: MERCHANT_CATEGORY,
  initial: noMerchant,
  check: (recorded) => checkKnownEvent(merchantCodec, recorded),
  evolve: (state, recorded) => evolveMerchant(state, decodeEvent(merchantCodec, recorded)),
};

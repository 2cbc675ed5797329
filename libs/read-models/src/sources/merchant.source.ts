import { evolveMerchant, merchantCodec, noMerchant, type MerchantState } from '@tillstream/domain';
import { checkKnown, decoded, type StreamSource } from '../projections/row.projection.js';

export const MERCHANT_CATEGORY = 'merchant';

export const merchantSource: StreamSource<MerchantState> = {
  category: MERCHANT_CATEGORY,
  initial: noMerchant,
  check: (recorded) => checkKnown(merchantCodec, recorded),
  evolve: (state, recorded) => evolveMerchant(state, decoded(merchantCodec, recorded)),
};

import { evolveMerchant, noMerchant, merchantCodec, type MerchantState } from '@tillstream/domain';
import { streamSource, type StreamSource } from '../projections/row.projection.js';

export const MERCHANT_CATEGORY = 'merchant';

export const merchantSource: StreamSource<MerchantState> = streamSource(
  MERCHANT_CATEGORY,
  noMerchant,
  merchantCodec,
  evolveMerchant,
);

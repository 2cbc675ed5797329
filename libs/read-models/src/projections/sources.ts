import {
  BATCH_CATEGORY,
  evolveSettlement,
  evolveSettlementPage,
  noSettlement,
  noSettlementPage,
  SETTLEMENT_CATEGORY,
  SETTLEMENT_PAGE_CATEGORY,
  settlementCodec,
  settlementPageCodec,
  batchCodec,
  evolveBatch,
  evolveHolder,
  evolveMerchant,
  evolvePayment,
  evolveToken,
  HOLDER_CATEGORY,
  holderCodec,
  merchantCodec,
  noBatch,
  noHolder,
  noMerchant,
  noPayment,
  noToken,
  PAYMENT_CATEGORY,
  paymentCodec,
  TOKEN_CATEGORY,
  tokenCodec,
} from '@tillstream/domain';
import { streamSource } from './row.projection.js';

/* The streams that projections read, one source for each category. */

export const MERCHANT_CATEGORY = 'merchant';

export const batchSource = streamSource(BATCH_CATEGORY, noBatch, batchCodec, evolveBatch);
export const holderSource = streamSource(HOLDER_CATEGORY, noHolder, holderCodec, evolveHolder);
export const merchantSource = streamSource(MERCHANT_CATEGORY, noMerchant, merchantCodec, evolveMerchant);
export const paymentSource = streamSource(PAYMENT_CATEGORY, noPayment, paymentCodec, evolvePayment);
export const settlementSource = streamSource(
  SETTLEMENT_CATEGORY,
  noSettlement,
  settlementCodec,
  evolveSettlement,
);
export const settlementPageSource = {
  ...streamSource(SETTLEMENT_PAGE_CATEGORY, noSettlementPage, settlementPageCodec, evolveSettlementPage),
  // About 100 kB: 50 items with their fees.
  isReadAnew: true,
};
export const tokenSource = streamSource(TOKEN_CATEGORY, noToken, tokenCodec, evolveToken);

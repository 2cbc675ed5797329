import {
  BATCH_CATEGORY,
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
export const tokenSource = streamSource(TOKEN_CATEGORY, noToken, tokenCodec, evolveToken);

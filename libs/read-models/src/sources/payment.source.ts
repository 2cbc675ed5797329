import {
  PAYMENT_CATEGORY,
  evolvePayment,
  noPayment,
  paymentCodec,
  type PaymentState,
} from '@tillstream/domain';
import { streamSource, type StreamSource } from '../projections/row.projection.js';

export const paymentSource: StreamSource<PaymentState> = streamSource(
  PAYMENT_CATEGORY,
  noPayment,
  paymentCodec,
  evolvePayment,
);

import {
  evolvePayment,
  noPayment,
  PAYMENT_CATEGORY,
  paymentCodec,
  type PaymentState,
} from '@tillstream/domain';
import { checkKnownEvent, decodeEvent, type StreamSource } from '../projections/row.projection.js';

export const paymentSource: StreamSource<PaymentState> = {
  category: PAYMENT_CATEGORY,
  initial: noPayment,
  check: (recorded) => checkKnownEvent(paymentCodec, recorded),
  evolve: (state, recorded) => evolvePayment(state, decodeEvent(paymentCodec, recorded)),
};

import {
  evolvePayment,
  noPayment,
  PAYMENT_CATEGORY,
  paymentCodec,
  type PaymentState,
} from '@tillstream/domain';
import { checkKnown, decoded, type StreamSource } from '../projections/row.projection.js';

export const paymentSource: StreamSource<PaymentState> = {
  category: PAYMENT_CATEGORY,
  initial: noPayment,
  check: (recorded) => checkKnown(paymentCodec, recorded),
  evolve: (state, recorded) => evolvePayment(state, decoded(paymentCodec, recorded)),
};

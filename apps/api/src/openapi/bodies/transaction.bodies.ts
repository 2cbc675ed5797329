import { AmountBreakdownDto } from '../../transactions/amount-breakdown.dto.js';
import { CaptureRequestDto, RefundRequestDto, VoidRequestDto } from '../../transactions/follow-up.dto.js';
import { PhysicalRequestDto } from '../../transactions/physical.dto.js';
import { TokenPaymentDto } from '../../transactions/token-payment.dto.js';
import { requestSchema } from '../request.schema.js';
import { SAMPLE } from '../samples.js';
import { AMOUNT, INVOICE_NUMBER, ORDER_NUMBER, REFERENCE_ID, TERMINAL_ID } from './common.texts.js';

/*
 * What moves money is asked for with these (`docs/spec/terminals.md#request` and
 * `docs/spec/payments.md#original-transaction`, `docs/spec/payments.md#requests`).
 */

const AMOUNT_BREAKDOWN = requestSchema(
  AmountBreakdownDto,
  'AmountBreakdown',
  'The parts of an amount, for reports. They must sum to `amount` and are not added to it.',
  {
    amountGoodsAndServices: { description: 'Goods and services.', example: 1100 },
    tax: { description: 'Tax.', example: 100 },
    cashback: { description: 'Cash given out.', example: 0 },
    tip: { description: 'Tip.', example: 50 },
  },
);
const breakdown = {
  description: 'The parts of `amount`, for reports; they must sum to it.',
  of: AMOUNT_BREAKDOWN,
};

export const CARD_PRESENT_REQUEST = requestSchema(
  PhysicalRequestDto,
  'CardPresentRequest',
  'A payment or refund at a terminal.',
  {
    amount: AMOUNT,
    amountBreakdown: breakdown,
    paymentMethodId: TERMINAL_ID,
    invoiceNumber: {
      ...INVOICE_NUMBER,
      description: 'Given back in the answer, and printed on the receipt.',
    },
    orderNumber: ORDER_NUMBER,
    referenceId: REFERENCE_ID,
  },
);

export const TOKEN_PAYMENT_REQUEST = requestSchema(
  TokenPaymentDto,
  'TokenPaymentRequest',
  'A payment with a stored card or bank account.',
  {
    amount: AMOUNT,
    amountBreakdown: breakdown,
    paymentMethodId: { description: 'The stored card or bank account.', example: SAMPLE.token },
    invoiceNumber: INVOICE_NUMBER,
    orderNumber: ORDER_NUMBER,
    referenceId: REFERENCE_ID,
    initiator: {
      description:
        'Who asks for the payment: the customer, now; or the merchant, as was agreed before. The first transaction’s ' +
        'network id is sent along then.',
      default: 'Customer',
      example: 'Merchant',
    },
    reason: { description: 'Why the merchant asks; only with `initiator: Merchant`.', example: 'Recurring' },
  },
);

const original = {
  originalTransactionId: {
    description:
      'The transaction that this one follows, by its id. Exactly one of the two identifiers is sent.',
    example: SAMPLE.sale,
  },
  originalReferenceId: {
    description:
      'The same by its reference id. It must fit one transaction only, else `originalTransactionId` is asked for.',
    example: 'order-1001',
  },
};
const partOf = (description: string) => ({ description, example: 250 });

export const CAPTURE_REQUEST = requestSchema(
  CaptureRequestDto,
  'CaptureRequest',
  'What of an authorization is billed.',
  {
    ...original,
    originalTransactionId: { ...original.originalTransactionId, example: SAMPLE.authorization },
    amount: partOf(
      'At most what is open of the authorization. Left out: all of it; required after a partial capture or void.',
    ),
    amountBreakdown: breakdown,
    invoiceNumber: INVOICE_NUMBER,
    orderNumber: ORDER_NUMBER,
    referenceId: REFERENCE_ID,
  },
);

export const REFUND_REQUEST = requestSchema(
  RefundRequestDto,
  'RefundRequest',
  'What of a sale or capture is given back.',
  {
    ...original,
    amount: partOf(
      'At most what is left of the original. Left out: all of it; required after a partial refund or void.',
    ),
    invoiceNumber: INVOICE_NUMBER,
    orderNumber: ORDER_NUMBER,
    referenceId: REFERENCE_ID,
  },
);

export const VOID_REQUEST = requestSchema(VoidRequestDto, 'VoidRequest', 'What is cancelled.', {
  ...original,
  amount: partOf(
    'A part of it. Left out: all of it, or of an authorization what is open; of a sale or capture required after a ' +
      'partial refund or void.',
  ),
  referenceId: REFERENCE_ID,
});

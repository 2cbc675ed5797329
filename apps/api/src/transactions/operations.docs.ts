import { ErrorCode } from '@tillstream/contracts';
import { answer, type EndpointTexts, type Examples } from '../openapi/endpoint.js';
import type { Rejections } from '../openapi/error.responses.js';
import { SAMPLE } from '../openapi/samples.js';
import { TRANSACTION_RESULT } from './transaction.responses.js';
import { SAMPLE_TOKEN, sampleTransaction, WAITING_FORM } from './transaction.samples.js';

const CHECK_BOTH =
  'A decline is a successful request: check `resultCode` and `transactionResponses[0].responseCode`. On 500 ' +
  '`Interrupted` the outcome is unknown: look the transaction up before you try again.';

const { InvalidPaymentMethodType, InvalidTransactionType, PaymentMethodUsageRestricted } = ErrorCode;
const AT_TERMINAL: Rejections = {
  400: [InvalidPaymentMethodType, PaymentMethodUsageRestricted],
  404: [ErrorCode.PaymentMethodNotFound],
};
/** Of requests that open a hosted form. */
export const WITH_FORM: Rejections = {
  400: [InvalidPaymentMethodType, PaymentMethodUsageRestricted],
  404: [ErrorCode.PaymentMethodNotFound, ErrorCode.AccountHolderNotFound],
  500: [ErrorCode.FailedToCreateSessionInAdapter],
};
const WITH_TOKEN: Rejections = {
  400: [InvalidPaymentMethodType, PaymentMethodUsageRestricted],
  404: [ErrorCode.TokenizedCardNotFound],
  409: [ErrorCode.ResourceNotReadyError],
};
const OF_ORIGINAL: Rejections = {
  400: [InvalidPaymentMethodType, InvalidTransactionType],
  404: [ErrorCode.ResourceNotFound],
};

const answered = (fields: Parameters<typeof sampleTransaction>[0]) =>
  answer('The transaction; check its codes.', TRANSACTION_RESULT, sampleTransaction(fields));

const everything = {
  amount: 1250,
  amountBreakdown: { amountGoodsAndServices: 1100, tax: 100, tip: 50 },
  invoiceNumber: 'A1001',
  orderNumber: 'O77',
};
const atTerminal: Examples = {
  simplest: ['At the default terminal', { amount: 1250 }],
  complete: [
    'With all its fields',
    { ...everything, paymentMethodId: SAMPLE.terminal, referenceId: 'order-1001' },
  ],
};
export const FORM_FOLLOWS =
  'The response is `Pending` with `resultCode` 1010. Show `form.url` in an iframe, or redirect the customer there; ' +
  'the form is open for 30 minutes. Its outcome is in the transaction: read it before you deliver.';
const throughForm: Examples = {
  simplest: ['With the default form', { amount: 1250 }],
  complete: [
    'With all its fields',
    {
      ...everything,
      paymentMethodId: SAMPLE.form,
      referenceId: 'order-1001',
      returnUrl: 'https://shop.example/paid?order=1001',
      useJavaScriptCallback: true,
      formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure: false, piiFields: ['Email'] },
    },
  ],
};
const withToken = { amount: 2000, paymentMethodId: SAMPLE.token };

export const OPERATION_ENDPOINTS: EndpointTexts = {
  physicalSale: {
    summary: 'Sell at a terminal',
    description: `Authorizes and captures in one step, on a payment terminal. ${CHECK_BOTH}`,
    examples: {
      ...atTerminal,
      declined: ['Declined for insufficient funds (sandbox)', { amount: 900_051 }],
    },
    rejections: AT_TERMINAL,
    response: answered({}),
  },
  physicalAuth: {
    summary: 'Authorize at a terminal',
    description: `Reserves the amount. Capture it within 7 days. ${CHECK_BOTH}`,
    examples: atTerminal,
    rejections: AT_TERMINAL,
    response: answered({ id: SAMPLE.authorization, type: 'Auth' }),
  },
  unreferencedPhysicalRefund: {
    summary: 'Refund at a terminal without an original',
    description: `Refunds to the card that is presented. It has to be enabled for the merchant, and the merchant’s daily limit bounds it. ${CHECK_BOTH}`,
    examples: atTerminal,
    rejections: AT_TERMINAL,
    response: answered({ type: 'UnreferencedRefund' }),
  },
  virtualSale: {
    summary: 'Sell through a hosted form',
    description: `Opens a form in which the customer enters a card, to authorize and capture in one step. A form for bank accounts has to be named: its sale is \`Processing\` after the submission, until the bank decides. ${FORM_FOLLOWS}`,
    examples: {
      ...throughForm,
      ofPerson: [
        'For an account holder that is found or created',
        { amount: 1250, accountHolder: { externalId: 'customer-1001', name: 'Ann Maple' } },
      ],
    },
    rejections: WITH_FORM,
    response: answered(WAITING_FORM),
  },
  virtualAuth: {
    summary: 'Authorize through a hosted form',
    description: `Opens a form in which the customer enters a card, to reserve the amount. Capture it within 7 days. ${FORM_FOLLOWS}`,
    examples: throughForm,
    rejections: { ...WITH_FORM, 404: [ErrorCode.PaymentMethodNotFound] },
    response: answered({ ...WAITING_FORM, id: SAMPLE.authorization, type: 'Auth' }),
  },
  unreferencedVirtualRefund: {
    summary: 'Refund through a hosted form without an original',
    description: `Opens a form in which the customer enters the card that gets the money. It has to be enabled for the merchant, and the merchant’s daily limit bounds it. ${FORM_FOLLOWS}`,
    examples: throughForm,
    rejections: WITH_FORM,
    response: answered({ ...WAITING_FORM, type: 'UnreferencedRefund' }),
  },
  tokenSale: {
    summary: 'Sell with a stored card or bank account',
    description: `Authorizes and captures in one step. With a stored bank account the sale is \`Processing\`, \`resultCode\` 4001, until the bank decides. ${CHECK_BOTH}`,
    examples: {
      byCustomer: ['The customer pays now', withToken],
      recurring: [
        'A subscription’s next payment',
        { ...withToken, initiator: 'Merchant', reason: 'Recurring', referenceId: 'order-1001' },
      ],
      complete: ['With breakdown and numbers', { ...everything, paymentMethodId: SAMPLE.token }],
    },
    rejections: WITH_TOKEN,
    response: answered({ amount: 2000, paymentMethod: SAMPLE_TOKEN }),
  },
  tokenAuth: {
    summary: 'Authorize with a stored card',
    description: `Reserves the amount. Capture it within 7 days. Not for bank accounts. ${CHECK_BOTH}`,
    examples: { byCustomer: ['The customer pays now', withToken] },
    rejections: WITH_TOKEN,
    response: answered({
      id: SAMPLE.authorization,
      type: 'Auth',
      amount: 2000,
      paymentMethod: SAMPLE_TOKEN,
    }),
  },
  capture: {
    summary: 'Capture an authorization',
    description: `Captures the authorized amount or a part of it. Several captures are allowed, up to the authorized amount. ${CHECK_BOTH}`,
    examples: {
      all: ['All of it', { originalTransactionId: SAMPLE.authorization }],
      part: [
        'A part of it',
        {
          originalTransactionId: SAMPLE.authorization,
          amount: 600,
          amountBreakdown: { amountGoodsAndServices: 550, tax: 50 },
          invoiceNumber: 'A1001',
        },
      ],
    },
    rejections: OF_ORIGINAL,
    response: answered({
      id: SAMPLE.capture,
      type: 'Capture',
      originalTransactionId: SAMPLE.authorization,
    }),
  },
  refund: {
    summary: 'Refund a sale or capture',
    description: `Executed as a void while the original is in the current batch, else as a refund: \`executedAs\` says which. A bank payment is always refunded, and the refund is \`Processing\` until the bank decides. ${CHECK_BOTH}`,
    examples: {
      all: ['All of it', { originalTransactionId: SAMPLE.sale }],
      part: ['A part of it', { originalTransactionId: SAMPLE.sale, amount: 250, referenceId: 'return-1001' }],
    },
    rejections: OF_ORIGINAL,
    response: answered({
      id: SAMPLE.refund,
      type: 'Refund',
      amount: 250,
      originalTransactionId: SAMPLE.sale,
      executedAs: 'Void',
    }),
  },
  void: {
    summary: 'Void a sale, authorization or capture',
    description: `Cancels the transaction or a part of it, while it is in the current batch. Not for bank payments. ${CHECK_BOTH}`,
    examples: {
      all: ['All of it', { originalTransactionId: SAMPLE.sale }],
      authorization: ['The open part of an authorization', { originalTransactionId: SAMPLE.authorization }],
    },
    rejections: OF_ORIGINAL,
    response: answered({ id: SAMPLE.refund, type: 'Void', originalTransactionId: SAMPLE.sale }),
  },
};

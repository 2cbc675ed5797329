import type {
  AmountBreakdownShape,
  FormLink,
  ThreeDsAuthentication,
  TransactionResponse,
  TransactionResult,
  TransactionStatus,
  TransactionType,
} from '@tillstream/contracts';
import * as s from '../openapi/response.schema.js';
import { SAMPLE } from '../openapi/samples.js';
import {
  AVS_RESULT,
  CVV_RESULT,
  RESPONSE_CODE,
  RESULT_CODE,
  THREE_DS_STATUS,
} from './result-codes.responses.js';
import {
  ACCOUNT_TYPE,
  CARD_TYPE,
  CURRENCY,
  PAYMENT_METHOD_DETAILS,
} from '../payment-methods/payment-method.responses.js';

/* The transaction result (`docs/spec/transactions.md#result` and `docs/spec/transactions.md#responses`). */

const cents = { minimum: 0, maximum: 999_999_999 };
const part = (description: string, example: number) => s.integer(description, example, cents);

const AMOUNT_BREAKDOWN = s.shape<AmountBreakdownShape>()('AmountBreakdownOfAnswer', 'As you sent it.', {
  amountGoodsAndServices: s.optional(part('Goods and services.', 1100)),
  tax: s.optional(part('Tax.', 100)),
  cashback: s.optional(part('Cash given out.', 0)),
  tip: s.optional(part('Tip.', 50)),
});

const APPROVED_AMOUNT_BREAKDOWN = s.shape<Required<AmountBreakdownShape>>()(
  'ApprovedAmountBreakdown',
  'The parts of the approved amount, on sales, authorizations and captures.',
  {
    amountGoodsAndServices: part('Goods and services.', 1100),
    tax: part('Tax.', 100),
    cashback: part('Cash given out.', 0),
    tip: part('Tip.', 50),
  },
);

const TRANSACTION_RESPONSE = s.shape<TransactionResponse>()(
  'TransactionResponse',
  'One attempt that reached issuer, bank or terminal.',
  {
    responseCode: RESPONSE_CODE,
    amountApproved: s.integer('In the smallest unit of the currency; 0 after a decline.', 1250, cents),
    approvedAmountBreakdown: s.optional(s.as(APPROVED_AMOUNT_BREAKDOWN, 'The parts of the approved amount.')),
    authCode: s.optional(s.text('Authorization code of the issuer.', '004242')),
    hostResponseText: s.optional(s.text('The text of the host for the response code.', 'APPROVED')),
    paymentMethod: s.as(PAYMENT_METHOD_DETAILS, 'The payment method of this attempt.'),
    cardType: s.optional(CARD_TYPE),
    accountType: s.optional(ACCOUNT_TYPE),
    avsResult: s.optional(AVS_RESULT),
    cvvResult: s.optional(CVV_RESULT),
    receipt: s.inline<{ lines: string[] }>('For printing.', {
      lines: s.list('Empty if no card was present.', s.text('One line.', 'Maple Street Books')),
    }),
  },
);

const THREE_DS = s.shape<ThreeDsAuthentication>()(
  'ThreeDsAuthentication',
  '3-D Secure authentication of the cardholder.',
  {
    status: THREE_DS_STATUS,
    cavv: s.optional(s.text('Cryptographic proof.', 'AAABBIIFmAAAAAAAAAAAAAAAAAA=')),
    eci: s.optional(
      s.text('`02`, `05` fully authenticated; `01`, `06` attempted; `00`, `07` not authenticated.', '05'),
    ),
    xid: s.optional(s.text('Transaction id of some issuers.', 'MDAwMDAwMDAwMDAwMDAwMzIyNzY=')),
    dsTransId: s.optional(
      s.text('Transaction id of the directory server.', 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b'),
    ),
    threeDReasonId: s.optional(s.text('Reason code of the issuer, on declines.', '01')),
    threeDReason: s.optional(s.text('What the reason code means.', 'Card authentication failed')),
  },
);

export const TRANSACTION_TYPES: Readonly<Record<TransactionType, string>> = {
  Sale: 'Authorization and capture in one.',
  Auth: 'Reserves the amount.',
  Capture: 'Takes an authorized amount.',
  Refund: 'Gives money back.',
  Void: 'Cancels, while it is in the current batch.',
  UnreferencedRefund: 'Gives money back without an original transaction.',
  TokenCreate: 'Stored a card or bank account.',
  TokenUpdate: 'Changed a stored one.',
  TokenRemove: 'Removed a stored one.',
};

export const TRANSACTION_TYPE = s.choice('The type of the operation.', TRANSACTION_TYPES);

export const TRANSACTION_STATUS = s.choice<TransactionStatus>('The state of the operation.', {
  Pending: 'It waits for terminal, customer or processor.',
  Processing: 'It waits for the bank.',
  Completed: 'It has its outcome, approved or declined.',
  Interrupted: 'The outcome is unknown; the service inquires about it.',
  Cancelled: 'It ended without an outcome, and nothing was charged.',
  Expired: 'The customer did not act in time, and nothing was charged.',
});

export const FORM_LINK = s.shape<FormLink>()('FormLink', 'The hosted form of a virtual operation.', {
  url: s.text(
    'For an iframe or a redirect. It has the session id, which is a credential.',
    `http://localhost:3000/pay/${SAMPLE.session}`,
    { format: 'uri' },
  ),
  sessionId: s.text('The credential of the form.', SAMPLE.session, { pattern: '^ses_[0-9A-Za-z]{32}$' }),
  expiresAt: s.time('The form takes no submission from here on.'),
});

export const TRANSACTION_RESULT = s.shape<TransactionResult>()(
  'TransactionResult',
  'One operation and its outcome.',
  {
    id: s.id('The id of the transaction.', SAMPLE.sale),
    referenceId: s.text('Your reference, or the one that the service made.', 'order-1001', {
      maxLength: 100,
    }),
    type: TRANSACTION_TYPE,
    status: TRANSACTION_STATUS,
    resultCode: RESULT_CODE,
    resultText: s.text(
      'What the result code means.',
      'The request was successful. See each response code for approval or decline.',
    ),
    amount: s.optional(
      s.integer(
        'The amount of the request, or the amount that it implies; absent on operations on stored cards.',
        1250,
        {
          ...cents,
          minimum: 1,
        },
      ),
    ),
    currency: CURRENCY,
    amountBreakdown: s.optional(s.as(AMOUNT_BREAKDOWN, 'As you sent it.')),
    originalTransactionId: s.optional(s.id('The original of a capture, refund or void.', SAMPLE.sale)),
    executedAs: s.optional(
      s.choice('How the processor executed a refund.', {
        Void: 'The original was still in the current batch.',
        Refund: 'The batch of the original had closed.',
      }),
    ),
    invoiceNumber: s.optional(s.text('As you sent it.', 'A1001', { maxLength: 100 })),
    orderNumber: s.optional(s.text('As you sent it.', 'O77', { maxLength: 100 })),
    transactionResponses: s.listOf(
      TRANSACTION_RESPONSE,
      'The attempts, newest first: `[0]` is the outcome.',
      {
        firstInCsv: true,
      },
    ),
    paymentMethod: s.as(
      PAYMENT_METHOD_DETAILS,
      'The payment method of the payment, or the stored card or bank account.',
    ),
    threeDs: s.optional(s.as(THREE_DS, 'Present if the hosted form authenticated the cardholder.')),
    threeDsChallenge: s.optional(
      s.inline<{ redirectUrl: string }>('Present while a challenge is open.', {
        redirectUrl: s.text('The page of the challenge.', 'https://acs.example/challenge/1', {
          format: 'uri',
        }),
      }),
    ),
    form: s.optional(s.as(FORM_LINK, 'Present on a virtual operation while it is pending.')),
    accountHolderId: s.optional(s.id('The account holder of the stored card.', SAMPLE.holder)),
    gatewayTransactionId: s.optional(s.text('The processor’s own id.', 'sbx_000000000042')),
    batchId: s.optional(s.text('Present once the operation is in a closed batch.', SAMPLE.batch)),
    settlementId: s.optional(
      s.text('Present once the operation is in a settlement.', 'stl_01K4Q2B5C7D9E1F3G5H7J9K1MN'),
    ),
    createdAt: s.time('The time of the request.'),
    updatedAt: s.time('When it last changed.'),
  },
);

export const TRANSACTION_PAGE = s.pageOf('TransactionPage', TRANSACTION_RESULT);

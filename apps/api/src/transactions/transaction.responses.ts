import type {
  AmountBreakdownShape,
  ThreeDsAuthentication,
  TransactionResponse,
  TransactionResult,
  TransactionStatus,
  TransactionType,
} from '@tillstream/contracts';
import {
  as,
  choice,
  id,
  inline,
  integer,
  list,
  listOf,
  optional,
  pageOf,
  shape,
  text,
  time,
} from '../openapi/response.schema.js';
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
const part = (description: string, example: number) => integer(description, example, cents);

const AMOUNT_BREAKDOWN = shape<AmountBreakdownShape>()('AmountBreakdownOfAnswer', 'As it was sent.', {
  amountGoodsAndServices: optional(part('Goods and services.', 1100)),
  tax: optional(part('Tax.', 100)),
  cashback: optional(part('Cash given out.', 0)),
  tip: optional(part('Tip.', 50)),
});

const APPROVED_AMOUNT_BREAKDOWN = shape<Required<AmountBreakdownShape>>()(
  'ApprovedAmountBreakdown',
  'The parts of what was approved, on sales, authorizations and captures.',
  {
    amountGoodsAndServices: part('Goods and services.', 1100),
    tax: part('Tax.', 100),
    cashback: part('Cash given out.', 0),
    tip: part('Tip.', 50),
  },
);

const TRANSACTION_RESPONSE = shape<TransactionResponse>()(
  'TransactionResponse',
  'One try that reached issuer, bank or terminal.',
  {
    responseCode: RESPONSE_CODE,
    amountApproved: integer('In the smallest unit of the currency; 0 where it was declined.', 1250, cents),
    approvedAmountBreakdown: optional(as(APPROVED_AMOUNT_BREAKDOWN, 'Of an approved amount.')),
    authCode: optional(text('Authorization code of the issuer.', '004242')),
    hostResponseText: optional(text('What the host said of the response code.', 'APPROVED')),
    paymentMethod: as(PAYMENT_METHOD_DETAILS, 'The payment method of this try.'),
    cardType: optional(CARD_TYPE),
    accountType: optional(ACCOUNT_TYPE),
    avsResult: optional(AVS_RESULT),
    cvvResult: optional(CVV_RESULT),
    receipt: inline<{ lines: string[] }>('For printing.', {
      lines: list('Empty where no card was present.', text('One line.', 'Maple Street Books')),
    }),
  },
);

const THREE_DS = shape<ThreeDsAuthentication>()(
  'ThreeDsAuthentication',
  '3-D Secure authentication of the cardholder.',
  {
    status: THREE_DS_STATUS,
    cavv: optional(text('Cryptographic proof.', 'AAABBIIFmAAAAAAAAAAAAAAAAAA=')),
    eci: optional(
      text('`02`, `05` fully authenticated; `01`, `06` attempted; `00`, `07` not authenticated.', '05'),
    ),
    xid: optional(text('Transaction id of some issuers.', 'MDAwMDAwMDAwMDAwMDAwMzIyNzY=')),
    dsTransId: optional(
      text('Transaction id of the directory server.', 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b'),
    ),
    threeDReasonId: optional(text('Reason code of the issuer, on declines.', '01')),
    threeDReason: optional(text('What the reason code means.', 'Card authentication failed')),
  },
);

export const TRANSACTION_TYPES: Readonly<Record<TransactionType, string>> = {
  Sale: 'Authorization and capture in one.',
  Auth: 'Reserves the amount.',
  Capture: 'Bills what an authorization reserved.',
  Refund: 'Gives money back.',
  Void: 'Cancels, while it is in the current batch.',
  UnreferencedRefund: 'Gives money back without an original transaction.',
  TokenCreate: 'Stored a card or bank account.',
  TokenUpdate: 'Changed a stored one.',
  TokenRemove: 'Removed a stored one.',
};

export const TRANSACTION_TYPE = choice('Which operation it is.', TRANSACTION_TYPES);

export const TRANSACTION_STATUS = choice<TransactionStatus>('Where it stands.', {
  Pending: 'Waiting for terminal, customer or processor.',
  Processing: 'The bank’s answer is awaited.',
  Completed: 'It has its outcome, approved or declined.',
  Interrupted: 'The outcome is unknown; the service finds it out.',
  Cancelled: 'It ended without an outcome, and nothing was charged.',
  Expired: 'Nobody acted in time, and nothing was charged.',
});

export const TRANSACTION_RESULT = shape<TransactionResult>()(
  'TransactionResult',
  'One operation and what came of it. A later look gives the same shape.',
  {
    id: id('Names the transaction.', SAMPLE.sale),
    referenceId: text('Yours, or one that was made.', 'order-1001', { maxLength: 100 }),
    type: TRANSACTION_TYPE,
    status: TRANSACTION_STATUS,
    resultCode: RESULT_CODE,
    resultText: text(
      'What the result code means.',
      'The request was successful. See each response code for approval or decline.',
    ),
    amount: optional(
      integer('What the operation asked for, or implied; absent of stored cards.', 1250, {
        ...cents,
        minimum: 1,
      }),
    ),
    currency: CURRENCY,
    amountBreakdown: optional(as(AMOUNT_BREAKDOWN, 'As it was sent.')),
    originalTransactionId: optional(id('Of a capture, refund or void: what it follows.', SAMPLE.sale)),
    executedAs: optional(
      choice('Of a refund: what it was at the processor.', {
        Void: 'The original was still in the current batch.',
        Refund: 'It was not any more.',
      }),
    ),
    invoiceNumber: optional(text('As it was sent.', 'A1001', { maxLength: 100 })),
    orderNumber: optional(text('As it was sent.', 'O77', { maxLength: 100 })),
    transactionResponses: listOf(TRANSACTION_RESPONSE, 'The tries, newest first: `[0]` is the outcome.'),
    paymentMethod: as(PAYMENT_METHOD_DETAILS, 'What it was paid with, or what was stored.'),
    threeDs: optional(as(THREE_DS, 'Where the hosted form authenticated the cardholder.')),
    threeDsChallenge: optional(
      inline<{ redirectUrl: string }>('While a challenge is open.', {
        redirectUrl: text('Where the cardholder answers it.', 'https://acs.example/challenge/1', {
          format: 'uri',
        }),
      }),
    ),
    accountHolderId: optional(id('The person behind the stored card.', SAMPLE.holder)),
    gatewayTransactionId: optional(text('The processor’s own id.', 'sbx_000000000042')),
    batchId: optional(text('Once a batch took it.', SAMPLE.batch)),
    settlementId: optional(text('Once it is in a settlement.', 'stl_01K4Q2B5C7D9E1F3G5H7J9K1MN')),
    createdAt: time('When it was asked for.'),
    updatedAt: time('When it last changed.'),
  },
);

export const TRANSACTION_PAGE = pageOf('TransactionPage', TRANSACTION_RESULT);

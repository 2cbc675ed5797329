import { ErrorCode, type Adjustment, type Chargeback } from '@tillstream/contracts';
import { answer, type EndpointTexts } from '../../openapi/endpoint.js';
import { idParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../../openapi/samples.js';
import { CURRENCY } from '../../payment-methods/payment-method.responses.js';
import { MERCHANT_ID } from '../merchants/merchants.docs.js';
import { SAMPLE_SETTLEMENT, SETTLEMENT } from '../../settlements/settlement.responses.js';

const CHARGEBACK = s.shape<Chargeback>()('Chargeback', 'Money that the cardholder’s bank took back.', {
  id: s.id('Names the chargeback.', 'cbk_01K4Q7C9D1F3H5K7N9Q1S3V5X7'),
  transactionId: s.id('The sale or capture.', SAMPLE.sale),
  merchantId: s.id('The merchant that is debited.', SAMPLE.merchant),
  currency: CURRENCY,
  amount: s.count('Cents.', 1250),
  reason: s.text('The reason.', '10.4 Fraud'),
  reference: s.optional(s.text('The processor’s reference of the case.', 'CB-2026-0042')),
  createdAt: s.time('When it was recorded.'),
});

const SAMPLE_CHARGEBACK: Chargeback = {
  id: 'cbk_01K4Q7C9D1F3H5K7N9Q1S3V5X7',
  transactionId: SAMPLE.sale,
  merchantId: SAMPLE.merchant,
  currency: 'USD',
  amount: 1_250,
  reason: '10.4 Fraud',
  createdAt: SAMPLE_TIME,
};

const ADJUSTMENT = s.shape<Adjustment>()(
  'Adjustment',
  'Money that a merchant receives or pays beside its payments.',
  {
    id: s.id('Names the adjustment.', 'adj_01K4Q7C9D1F3H5K7N9Q1S3V5X7'),
    merchantId: s.id('The merchant.', SAMPLE.merchant),
    currency: CURRENCY,
    batchId: s.id('The open batch that took it. A settlement of that batch has it.', SAMPLE.batch),
    amount: s.integer('Signed cents; negative for what the merchant pays.', -2_500),
    reason: s.text('What it is for.', 'Terminal rental'),
    reference: s.optional(s.text('The operator’s reference.', 'INV-2026-0042')),
    createdAt: s.time('When it was recorded.'),
  },
);

const SAMPLE_ADJUSTMENT: Adjustment = {
  id: 'adj_01K4Q7C9D1F3H5K7N9Q1S3V5X7',
  merchantId: SAMPLE.merchant,
  currency: 'USD',
  batchId: SAMPLE.batch,
  amount: -2_500,
  reason: 'Terminal rental',
  createdAt: SAMPLE_TIME,
};

export const OPERATOR_SETTLEMENT_ENDPOINTS: EndpointTexts = {
  fundSettlement: {
    summary: 'Fund a settlement',
    description: 'Records that it was paid out. Doing so again changes nothing.',
    path: { id: idParameter('The settlement.', SAMPLE.settlement) },
    examples: { fund: ['Paid out', {}] },
    rejections: { 404: [ErrorCode.ResourceNotFound] },
    response: answer('The settlement.', SETTLEMENT, {
      ...SAMPLE_SETTLEMENT,
      status: 'Funded',
      fundedAt: SAMPLE_TIME,
    }),
  },
  recordAdjustment: {
    summary: 'Adjust what a merchant is paid',
    description:
      'The merchant’s open batch takes it, and is not empty then. The settlement of that batch shows it as a line of its own.',
    path: { id: MERCHANT_ID },
    examples: {
      debit: ['The merchant pays', { currency: 'USD', amount: -2500, reason: 'Terminal rental' }],
      credit: [
        'The merchant receives',
        { currency: 'CAD', amount: 1000, reason: 'Goodwill', reference: 'T-4711' },
      ],
    },
    rejections: {
      400: [ErrorCode.InvalidAmount, ErrorCode.InvalidTransactionType],
      404: [ErrorCode.ResourceNotFound],
      409: [ErrorCode.TransactionNotCompleteYet],
    },
    response: answer('The adjustment.', ADJUSTMENT, SAMPLE_ADJUSTMENT),
  },
  recordChargeback: {
    summary: 'Record a chargeback',
    description:
      'It debits the next settlement, and makes a fee charge. Refunds of the transaction stay possible.',
    path: { id: idParameter('An approved sale or capture of a card.', SAMPLE.sale) },
    examples: {
      fraud: ['The whole sale', { amount: 1250, reason: '10.4 Fraud', reference: 'CB-2026-0042' }],
    },
    rejections: {
      400: [ErrorCode.InvalidTransactionType, ErrorCode.InvalidAmount],
      404: [ErrorCode.ResourceNotFound],
    },
    response: answer('The chargeback.', CHARGEBACK, SAMPLE_CHARGEBACK),
  },
};

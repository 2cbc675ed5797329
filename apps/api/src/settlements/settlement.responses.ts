import {
  FEE_CHARGE_SOURCES,
  type FeeBreakdownLine,
  type FeeCharge,
  type FeeChargeSource,
  type FeeChargeStatus,
  type FundingType,
  type SettledTransaction,
  type SettledTransactionType,
  type Settlement,
  type SettlementLine,
  type SettlementLineType,
  type SettlementStatus,
  type SettlementSummary,
} from '@tillstream/contracts';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';
import { CARD_TYPE, CURRENCY } from '../payment-methods/payment-method.responses.js';

/* `docs/spec/settlement.md`. */

const summaryFields = {
  id: s.id('Names the settlement.', SAMPLE.settlement),
  merchantId: s.id('The merchant that is paid.', SAMPLE.merchant),
  currency: CURRENCY,
  status: s.choice<SettlementStatus>('The state of the settlement.', {
    Pending: 'It waits for its funding.',
    Funded: 'It is paid out.',
  }),
  fundingType: s.choice<FundingType>('When fees are charged.', {
    Net: 'They are taken off each settlement.',
    Gross: 'At the end of the month.',
  }),
  amount: s.integer(
    'What is paid out, in cents: `grossAmount` − `refundAmount` − `feeAmount` (only with `Net`) + `adjustmentAmount`. It can ' +
      'be negative.',
    1205,
  ),
  netAmount: s.integer('Deprecated, equal to `amount`.', 1205),
  grossAmount: s.count('Sales and captures, in cents.', 1250),
  refundAmount: s.count('Refunds, in cents.', 0),
  feeAmount: s.count('Fees, in cents.', 45),
  adjustmentAmount: s.integer('Returns, chargebacks and other adjustments, in signed cents.', 0),
  transactionCount: s.count('The settled transactions in it.', 1),
  batchIds: s.list('The batches in it.', s.id('A batch.', SAMPLE.batch)),
  createdAt: s.time('When it was created.'),
  expectedFundingDate: s.text(
    'The date on which it is expected to be paid out, in the merchant’s time zone.',
    '2026-08-04',
    { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
  ),
  fundedAt: s.optional(s.time('When it was paid out.')),
};

export const SETTLEMENT_SUMMARY = s.shape<SettlementSummary>()(
  'SettlementSummary',
  'What is paid out for a closed batch on one day.',
  summaryFields,
);

const SETTLEMENT_LINE = s.shape<SettlementLine>()('SettlementLine', 'A part of the amount of a settlement.', {
  type: s.choice<SettlementLineType>('What it sums up.', {
    Sales: 'Sales and captures.',
    Refunds: 'Refunds.',
    Returns: 'Returns of bank payments.',
    Chargebacks: 'Chargebacks.',
    Fees: 'Fees of sales and captures, of one type.',
    ReturnFees: 'Fees of returns.',
    ChargebackFees: 'Fees of chargebacks.',
    MonthlyFee: 'The fee of a month.',
    MonthFees: 'All fees of a month, with `Gross` funding.',
    Adjustment: 'An adjustment by an operator.',
  }),
  description: s.text('For people.', 'Sales and captures'),
  amount: s.integer('Signed cents.', 1250),
  count: s.count('How many it sums up.', 1),
});

export const SETTLEMENT = s.shape<Settlement>()('Settlement', 'A settlement with its lines.', {
  ...summaryFields,
  lines: s.listOf(SETTLEMENT_LINE, 'They add up to `amount`.'),
});

export const SETTLED_TRANSACTION = s.shape<SettledTransaction>()(
  'SettledTransaction',
  'A transaction in a settlement, or a return or chargeback of one.',
  {
    settlement: s.inline<SettledTransaction['settlement']>('Its settlement.', {
      id: s.id('The settlement.', SAMPLE.settlement),
      fundedAt: s.optional(s.time('When it was paid out.')),
    }),
    transactionId: s.id(
      'The transaction; of a return or chargeback, the one that was taken back.',
      SAMPLE.sale,
    ),
    transactionType: s.choice<SettledTransactionType>('What was settled.', {
      Sale: 'A sale.',
      Capture: 'A capture.',
      Refund: 'A refund.',
      UnreferencedRefund: 'A refund without an original.',
      Return: 'The bank returned the payment.',
      Chargeback: 'The cardholder’s bank took the money back.',
    }),
    gatewayTransactionId: s.optional(s.text('The processor’s id.', 'g-1042')),
    batchId: s.id('The batch that took it.', SAMPLE.batch),
    currency: CURRENCY,
    cardType: s.optional(CARD_TYPE),
    settledAmount: s.integer(
      'What is left after voids, in cents; negative for refunds, returns and chargebacks.',
      1250,
    ),
    settledAt: s.time('When its settlement was created.'),
  },
);

const FEE_LINE = s.shape<FeeBreakdownLine>()('FeeBreakdownLine', 'A part of a fee.', {
  type: s.choice<FeeBreakdownLine['type']>('Who gets it.', {
    Interchange: 'The bank of the cardholder.',
    Scheme: 'The card network.',
    Markup: 'The service.',
  }),
  rateBps: s.count('The part of the settled amount, in hundredths of a percent.', 180),
  fixedAmount: s.count('Added to it, in cents.', 10),
  amount: s.count('`rateBps` of the settled amount, half-even to the cent, plus `fixedAmount`.', 32),
});

export const FEE_CHARGE = s.shape<FeeCharge>()('FeeCharge', 'A fee of a merchant.', {
  id: s.id('Names the fee.', SAMPLE.feeCharge),
  source: s.choice<FeeChargeSource>('What it is for.', {
    [FEE_CHARGE_SOURCES[0]]: 'A sale or capture.',
    Monthly: 'A month.',
    Return: 'A return of a bank payment.',
    Chargeback: 'A chargeback.',
  }),
  status: s.choice<FeeChargeStatus>('Whether it is charged.', {
    Pending: 'It waits for the end of the month.',
    Charged: 'It is charged.',
  }),
  amount: s.count('The fee, in cents.', 45),
  currency: CURRENCY,
  settlementId: s.nullable(
    s.id('The settlement.', SAMPLE.settlement),
    'The settlement that charges it; null until it is charged.',
  ),
  settledTransaction: s.optional(
    s.inline<NonNullable<FeeCharge['settledTransaction']>>(
      'What it is charged for; a monthly fee has none.',
      {
        transactionId: s.id('The transaction.', SAMPLE.sale),
        amount: s.integer('Its settled amount, in signed cents.', 1250),
      },
    ),
  ),
  feeBreakdown: s.listOf(FEE_LINE, 'They add up to `amount`.'),
  chargedAt: s.optional(s.time('When it was charged.')),
});

export const SAMPLE_SUMMARY: SettlementSummary = {
  id: SAMPLE.settlement,
  merchantId: SAMPLE.merchant,
  currency: 'USD',
  status: 'Pending',
  fundingType: 'Net',
  amount: 1_205,
  netAmount: 1_205,
  grossAmount: 1_250,
  refundAmount: 0,
  feeAmount: 45,
  adjustmentAmount: 0,
  transactionCount: 1,
  batchIds: [SAMPLE.batch],
  createdAt: SAMPLE_TIME,
  expectedFundingDate: '2026-08-04',
};

export const SAMPLE_SETTLEMENT: Settlement = {
  ...SAMPLE_SUMMARY,
  lines: [
    { type: 'Sales', description: 'Sales and captures', amount: 1_250, count: 1 },
    { type: 'Fees', description: 'Interchange fees', amount: -45, count: 1 },
  ],
};

export const SAMPLE_SETTLED_TRANSACTION: SettledTransaction = {
  settlement: { id: SAMPLE.settlement },
  transactionId: SAMPLE.sale,
  transactionType: 'Sale',
  gatewayTransactionId: 'g-1042',
  batchId: SAMPLE.batch,
  currency: 'USD',
  cardType: 'VISA',
  settledAmount: 1_250,
  settledAt: SAMPLE_TIME,
};

export const SAMPLE_FEE_CHARGE: FeeCharge = {
  id: SAMPLE.feeCharge,
  source: 'Transaction',
  status: 'Charged',
  amount: 45,
  currency: 'USD',
  settlementId: SAMPLE.settlement,
  settledTransaction: { transactionId: SAMPLE.sale, amount: 1_250 },
  feeBreakdown: [{ type: 'Interchange', rateBps: 280, fixedAmount: 10, amount: 45 }],
  chargedAt: SAMPLE_TIME,
};

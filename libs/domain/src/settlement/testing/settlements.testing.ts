import type { KindTotals } from '../../batch/index.js';
import type { OperationId } from '../../shared/ids.js';
import type { SettledItem, SettlementPricing, SettlementStarted } from '../settlement.events.js';

const NONE = { count: 0, amount: 0 };

export const BATCH_ID = 'bat_01JQ0000000000000000000000';
export const SETTLEMENT_ID = 'stl_01JQ0000000000000000000000';
export const CUT_OFF_AT = '2026-03-06T03:00:00.000Z';

export const operationId = (number: number): OperationId => `trx_01JQ${String(number).padStart(19, '0')}P00`;

export const PRICING: SettlementPricing = {
  templateId: 'prt_01JQ0000000000000000000001',
  version: 1,
  name: 'Retail',
  rules: [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Scheme', rateBps: 13, fixedAmount: 0, cardType: 'VISA' },
    { feeType: 'Markup', rateBps: 25, fixedAmount: 5, channel: 'CardPresent' },
  ],
  monthlyFee: 995,
  returnFee: 500,
  chargebackFee: 1_500,
  validFrom: '2026-01-01T00:00:00.000Z',
};

export const expectedTotals = (parts: Partial<KindTotals> = {}): KindTotals => ({
  sales: NONE,
  refunds: NONE,
  returns: NONE,
  ...parts,
});

export const settlementStarted = (more: Partial<SettlementStarted> = {}): SettlementStarted => ({
  at: '2026-03-06T03:00:01.000Z',
  settlementId: SETTLEMENT_ID,
  merchantId: 'mer_01JQ0000000000000000000000',
  currency: 'USD',
  kind: 'Card',
  batchId: BATCH_ID,
  batchNumber: 7,
  cutOffAt: CUT_OFF_AT,
  fundingType: 'Net',
  timeZone: 'America/New_York',
  expectedFundingDate: '2026-03-06',
  fundingDueAt: '2026-03-06T05:00:00.000Z',
  expected: expectedTotals(),
  adjustments: [],
  ...more,
});

export const settledItem = (more: Partial<SettledItem> = {}): SettledItem => ({
  operationId: operationId(1),
  type: 'Sale',
  amount: 1_000,
  movedAt: '2026-03-05T15:00:00.000Z',
  channel: 'CardPresent',
  paymentMethodId: 'pmt_trm_01JQ0000000000000000000000',
  cardType: 'VISA',
  ...more,
});

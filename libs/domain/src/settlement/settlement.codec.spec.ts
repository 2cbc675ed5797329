import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { settlementCodec, settlementPageCodec } from './settlement.events.js';
import { operationId, PRICING, SETTLEMENT_ID, settlementStarted } from './testing/settlements.testing.js';

const at = '2026-03-06T03:00:02.000Z';
const folder = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
const some = { count: 2, amount: 300 };
const sums = {
  sales: some,
  refunds: { count: 1, amount: -100 },
  returns: { count: 1, amount: -40 },
  chargebacks: { count: 1, amount: -30 },
  interchange: { count: 2, amount: 8 },
  scheme: { count: 2, amount: 4 },
  markup: { count: 2, amount: 6 },
  returnFees: { count: 1, amount: 5 },
  chargebackFees: { count: 1, amount: 15 },
};
const rule = { feeType: 'Markup', rateBps: 25, fixedAmount: 5, channel: 'Token', cardType: 'VISA' } as const;

describe('the stored events of a settlement', () => {
  codecContract(settlementCodec, folder('fixtures'), {
    SettlementStarted: {
      ...settlementStarted(),
      pricing: { ...PRICING, rules: [rule] },
      expected: { sales: some, refunds: some, returns: some },
      adjustments: [
        {
          adjustmentId: 'adj_1',
          kind: 'Manual',
          at,
          amount: -250,
          month: '2026-02',
          feeId: 'fee_01JQ0000000000000000000000',
          reason: 'Paper rolls',
          reference: 'INV-7',
        },
      ],
    },
    SettlementCreated: {
      at,
      pages: 1,
      amount: -158,
      grossAmount: 300,
      refundAmount: 100,
      feeAmount: 38,
      adjustmentAmount: -320,
      transactionCount: 5,
      sums,
      lines: [
        { type: 'Fees', feeType: 'Markup', month: '2026-02', reason: 'Paper rolls', count: 2, amount: -6 },
      ],
    },
    SettlementFunded: { at, cause: 'Operator' },
  });
});

describe('the stored events of a settlement’s page', () => {
  codecContract(settlementPageCodec, folder('fixtures-page'), {
    PageSettled: {
      at,
      settlementId: SETTLEMENT_ID,
      merchantId: 'mer_01JQ0000000000000000000000',
      currency: 'USD',
      batchId: 'bat_01JQ0000000000000000000000',
      kind: 'Card',
      fundingType: 'Gross',
      settledAt: at,
      page: 1,
      items: [
        {
          operationId: operationId(1),
          type: 'Capture',
          returnId: 'ret_1',
          chargebackId: 'cbk_1',
          originalOperationId: operationId(2),
          amount: 150,
          movedAt: at,
          channel: 'Token',
          paymentMethodId: 'pmt_tkn_01JQ0000000000000000000000',
          cardType: 'VISA',
          accountType: 'Credit',
          cardFunding: 'Credit',
          entryMode: 'Stored',
          gatewayTransactionId: 'g-1',
          processor: 'sandbox',
          processorAccount: 'acc',
          fee: {
            feeId: 'fee_01JQ0000000000000000000000',
            source: 'Transaction',
            amount: 5,
            lines: [{ type: 'Markup', rateBps: 25, fixedAmount: 5, amount: 5 }],
          },
        },
      ],
      sums,
      lastRow: { part: 'Operations', createdAt: 1_772_766_002_000, operationId: operationId(1) },
      isLast: true,
    },
    PageFeesCharged: { at, settlementId: SETTLEMENT_ID, month: '2026-03' },
  });
});

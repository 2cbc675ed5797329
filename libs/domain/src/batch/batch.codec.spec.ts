import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { batchCodec } from './batch.events.js';

const at = '2026-03-02T03:00:00.250Z';
const cutOffAt = '2026-03-02T03:00:00.000Z';
const card = {
  sales: { count: 3, amount: 4_000 },
  refunds: { count: 1, amount: -500 },
  returns: { count: 0, amount: 0 },
};
const bank = {
  sales: { count: 2, amount: 9_000 },
  refunds: { count: 1, amount: -1_000 },
  returns: { count: 1, amount: -4_000 },
};

describe('the stored events of a batch', () => {
  codecContract(batchCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    BatchOpened: {
      at,
      batchId: 'bat_01JQ0000000000000000000000',
      merchantId: 'mer_01JQ0000000000000000000000',
      currency: 'USD',
      number: 7,
      openedAt: '2026-03-01T03:00:00.000Z',
    },
    BatchAdjusted: {
      ...{ at, adjustmentId: 'adj_01JQ0000000000000000000000', kind: 'MonthlyFee', amount: -995 },
      ...{ month: '2026-02', feeId: 'fee_01JQ0000000000000000000000' },
      ...{ reason: 'As agreed.', reference: 'T-1' },
    },
    BatchClosing: { at, closing: 1, cutOffAt, cause: 'CutOff' },
    BatchStayedOpen: { at, closing: 1 },
    BatchClosed: { at, closing: 2, cutOffAt, transactionCount: 8, amount: 7_500, card, bank },
    BatchSettled: {
      at,
      settlements: [
        {
          settlementId: 'stl_01JQ0000000000000000000000',
          kind: 'Card',
          transactionCount: 4,
          amount: 3_500,
        },
      ],
    },
  });
});

import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { monthEndCodec } from './month-end.events.js';
import { at, monthEnded } from './testing/month-ends.testing.js';

describe('the stored events of month ends', () => {
  codecContract(monthEndCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    MonthEnded: {
      ...monthEnded('2026-02'),
      ...{ pendingFees: 1_234, templateId: 'prt_01JQ0000000000000000000001' },
      adjustments: [
        {
          ...{ adjustmentId: 'adj_1', kind: 'MonthFees', at, amount: -1_234, month: '2026-02' },
          ...{ feeId: 'fee_01JQ0000000000000000000000', reason: 'As agreed.', reference: 'T-1' },
        },
      ],
    },
    MonthAssigned: { at, month: '2026-02', batchId: 'bat_01JQ0000000000000000000000' },
    MonthCharged: { at, month: '2026-02', settlementId: 'stl_01JQ0000000000000000000000' },
  });
});

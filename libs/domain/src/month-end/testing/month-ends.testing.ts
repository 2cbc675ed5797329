import { givenBy } from '../../shared/testing/given-when-then.testing.js';
import type { Adjustment } from '../../batch/index.js';
import { foldMonthEnds } from '../month-end.js';
import type { MonthEnded, MonthEndEvent } from '../month-end.events.js';

export const given = givenBy(foldMonthEnds);

export const MERCHANT = 'mer_01JQ0000000000000000000000';
export const at = '2026-03-01T05:00:01.000Z';

export const monthlyFee = (month: string): Adjustment => ({
  ...{ adjustmentId: `adj_${month}`, kind: 'MonthlyFee', at, amount: -995, month },
  feeId: 'fee_01JQ0000000000000000000000',
});

export const monthEnded = (month: string, more: Partial<MonthEnded> = {}): MonthEnded => ({
  ...{ at, merchantId: MERCHANT, currency: 'USD', month, endedAt: '2026-03-01T05:00:00.000Z' },
  ...{ batches: { first: 1, last: 3 }, pendingFees: 0, adjustments: [monthlyFee(month)] },
  ...more,
});

export const ended = (month: string, more: Partial<MonthEnded> = {}): MonthEndEvent => ({
  type: 'MonthEnded',
  data: monthEnded(month, more),
});
export const assigned = (month: string, batchId: string): MonthEndEvent => ({
  type: 'MonthAssigned',
  data: { at, month, batchId },
});
export const charged = (month: string, settlementId = 'stl_1'): MonthEndEvent => ({
  type: 'MonthCharged',
  data: { at, month, settlementId },
});

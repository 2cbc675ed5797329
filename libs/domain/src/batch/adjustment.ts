import type { Cents } from '../shared/money.js';

/** Of one batch, by operators. Adjustments of a month's end always find a place. */
export const MANUAL_ADJUSTMENTS_MAX = 200;

/**
 * Money of the merchant that belongs to no payment (`docs/spec/settlement.md#adjustments`). The open batch takes it, and a
 * settlement of that batch pays or debits it. Storage: this shape never changes (docs/adr/0014).
 */
export interface Adjustment {
  readonly adjustmentId: string;
  /** `MonthFees`: with `Gross`, all fees of a month at once. */
  readonly kind: 'MonthlyFee' | 'MonthFees' | 'Manual';
  readonly at: string;
  /** Signed cents; a fee is negative. */
  readonly amount: Cents;
  /** `YYYY-MM` in the merchant's time zone. */
  readonly month?: string;
  /** `fee_…`, of a monthly fee. */
  readonly feeId?: string;
  readonly reason?: string;
  readonly reference?: string;
}

import type {
  FeeChargeSource,
  FeeChargeStatus,
  SettledTransactionType,
  SettlementStatus,
} from '@tillstream/contracts';
import type { AnyOf } from './read-models.types.js';

/* Filters and sorts of the lists of settlements (`docs/spec/lists.md#filters`). */

/** RFC 3339: the list as it was at this time. */
export interface AsOf {
  readonly asOf?: string;
}

/** `From` is inclusive, `To` exclusive. */
export interface SettledRange {
  readonly settledFrom?: string;
  readonly settledTo?: string;
}

export type SettlementSort = 'createdAt' | 'amount';
export type SettledTransactionSort = 'settledAt' | 'amount';
export type FeeChargeSort = 'chargedAt' | 'amount';

export interface SettlementFilters extends AsOf, SettledRange {
  readonly currency?: AnyOf<string>;
  readonly status?: AnyOf<SettlementStatus>;
}

export interface SettledTransactionFilters extends AsOf, SettledRange {
  readonly settlementId?: AnyOf<string>;
  readonly batchId?: AnyOf<string>;
  readonly transactionId?: AnyOf<string>;
  readonly transactionType?: AnyOf<SettledTransactionType>;
}

export interface FeeChargeFilters extends AsOf {
  readonly settlementId?: AnyOf<string>;
  readonly status?: AnyOf<FeeChargeStatus>;
  readonly source?: AnyOf<FeeChargeSource>;
  readonly chargedFrom?: string;
  readonly chargedTo?: string;
}

import {
  CURRENCIES,
  FEE_CHARGE_SOURCES,
  FEE_CHARGE_STATUSES,
  SETTLED_TRANSACTION_TYPES,
  SETTLEMENT_STATUSES,
} from '@tillstream/contracts';
import { anyOf, anyText, time } from '../validation/list.filters.js';
import { listQuery } from '../validation/list.query.js';

/* The queries of settlements and fees (`docs/spec/lists.md#filters`). */

/** Ids are a prefix and 26 characters. */
const anyId = anyText(35);

export class SettlementListQuery extends listQuery({
  filters: {
    currency: anyOf(CURRENCIES),
    status: anyOf(SETTLEMENT_STATUSES),
    settledFrom: time,
    settledTo: time,
    asOf: time,
  },
  sorts: ['createdAt', 'amount'],
  totals: true,
  boundTo: ({ merchantId }) => `settlements of ${merchantId}`,
}) {}

export class SettledTransactionListQuery extends listQuery({
  filters: {
    settlementId: anyId,
    batchId: anyId,
    transactionId: anyId,
    transactionType: anyOf(SETTLED_TRANSACTION_TYPES),
    settledFrom: time,
    settledTo: time,
    asOf: time,
  },
  sorts: ['settledAt', 'amount'],
  totals: true,
  boundTo: ({ merchantId }) => `settled transactions of ${merchantId}`,
}) {}

export class FeeChargeListQuery extends listQuery({
  filters: {
    settlementId: anyId,
    status: anyOf(FEE_CHARGE_STATUSES),
    source: anyOf(FEE_CHARGE_SOURCES),
    chargedFrom: time,
    chargedTo: time,
    asOf: time,
  },
  sorts: ['chargedAt', 'amount'],
  totals: true,
  boundTo: ({ merchantId }) => `fee charges of ${merchantId}`,
}) {}

import { CURRENCIES } from '@tillstream/contracts';
import { MAX_AMOUNT, ResponseCode } from '@tillstream/domain';
import { CARD_TYPE } from '../payment-methods/payment-method.responses.js';
import { INDEX, listQuery } from '../validation/list.query.js';
import {
  anyAlphanumeric,
  anyIn,
  anyOf,
  anyOfNumbers,
  anyText,
  integer,
  time,
} from '../validation/list.filters.js';
import { TRANSACTION_STATUS, TRANSACTION_TYPE } from './transaction.responses.js';

/* The queries of lists of transactions (`docs/spec/lists.md#filters`). */

/** Ids are a prefix and 26 characters; `pmt_trm_` is the longest. */
const anyId = anyText(35);

export class TransactionListQuery extends listQuery({
  filters: {
    id: anyId,
    referenceId: anyText(100),
    originalTransactionId: anyId,
    type: anyIn(TRANSACTION_TYPE),
    status: anyIn(TRANSACTION_STATUS),
    responseCode: anyOfNumbers(Object.values(ResponseCode)),
    paymentMethodId: anyId,
    accountHolderId: anyId,
    invoiceNumber: anyAlphanumeric(100),
    orderNumber: anyAlphanumeric(100),
    cardType: anyIn(CARD_TYPE),
    currency: anyOf(CURRENCIES),
    amountMin: integer(0, MAX_AMOUNT),
    amountMax: integer(0, MAX_AMOUNT),
    createdFrom: time,
    createdTo: time,
    updatedFrom: time,
    updatedTo: time,
    batchId: anyId,
    settlementId: anyId,
  },
  sorts: ['createdAt', 'updatedAt', 'amount'],
  totals: true,
  boundTo: ({ merchantId }) => `transactions of ${merchantId}`,
}) {}

export class HistoryQuery extends listQuery({ boundTo: ({ id }) => `events of ${id}`, place: INDEX }) {}

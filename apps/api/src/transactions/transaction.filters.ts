import { CURRENCIES, type TransactionStatus, type TransactionType } from '@tillstream/contracts';
import { MAX_AMOUNT, ResponseCode, type CardType } from '@tillstream/domain';
import { INDEX, listQuery } from '../validation/list.query.js';
import { anyAlphanumeric, anyOf, anyOfNumbers, anyText, integer, time } from '../validation/list.filters.js';

/*
 * The queries of lists of transactions (`docs/spec/lists.md#filters`). The values are records, so that the compiler
 * finds a value that is missing.
 */

const TYPES: Readonly<Record<TransactionType, true>> = {
  Sale: true,
  Auth: true,
  Capture: true,
  Refund: true,
  Void: true,
  UnreferencedRefund: true,
  TokenCreate: true,
  TokenUpdate: true,
  TokenRemove: true,
};

const STATUSES: Readonly<Record<TransactionStatus, true>> = {
  Pending: true,
  Processing: true,
  Completed: true,
  Interrupted: true,
  Cancelled: true,
  Expired: true,
};

const CARD_TYPES: Readonly<Record<CardType, true>> = {
  UNKNOWN: true,
  DEBIT: true,
  VISA: true,
  MASTERCARD: true,
  AMEX: true,
  DINERS: true,
  DISCOVER: true,
  JCB: true,
  UNIONPAY: true,
  MAESTRO: true,
  GIFT: true,
  CASH: true,
  EBT: true,
  INTERAC: true,
  OTHER: true,
};

const namesOf = <Name extends string>(record: Readonly<Record<Name, true>>): readonly Name[] =>
  Object.keys(record) as Name[];

export const anyCardType = anyOf(namesOf(CARD_TYPES));

/** Ids are a prefix and 26 characters; `pmt_trm_` is the longest. */
const anyId = anyText(35);

export class TransactionListQuery extends listQuery({
  filters: {
    id: anyId,
    referenceId: anyText(100),
    originalTransactionId: anyId,
    type: anyOf(namesOf(TYPES)),
    status: anyOf(namesOf(STATUSES)),
    responseCode: anyOfNumbers(Object.values(ResponseCode)),
    paymentMethodId: anyId,
    accountHolderId: anyId,
    invoiceNumber: anyAlphanumeric(100),
    orderNumber: anyAlphanumeric(100),
    cardType: anyCardType,
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

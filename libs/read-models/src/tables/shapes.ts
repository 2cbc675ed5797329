import type { ProjectionName } from '../read-models.types.js';
import type { FacetColumn, TableShape } from './table.shape.js';

const text = (name: string): FacetColumn => ({ name, type: 'text' });
const integer = (name: string): FacetColumn => ({ name, type: 'integer' });

/** What is absent in a facet's column of this type. */
export const NO_TEXT = '';
export const NO_NUMBER = -1;
/** Stands in `amount` where an operation has none: it sorts below every amount. */
export const NO_AMOUNT = -1;

const transactions: TableShape = {
  projection: 'transactions',
  rowsVersion: 1,
  layout: 1,
  facet: [
    text('merchant_id'),
    text('type'),
    text('status'),
    integer('response_code'),
    text('card_type'),
    text('currency'),
  ],
  sorts: ['created_at', 'updated_at', 'amount'],
  labels: [
    // The most telling first: of several that are asked for, the first leads.
    'reference_id',
    'original_id',
    'invoice_number',
    'order_number',
    'settlement_id',
    'batch_id',
    'account_holder_id',
    'payment_method_id',
  ],
  commonLabels: ['payment_method_id'],
  content: ['body', 'channel', 'token_id', 'personal'],
};

const tokens: TableShape = {
  projection: 'tokens',
  rowsVersion: 1,
  layout: 1,
  facet: [
    text('merchant_id'),
    text('type'),
    text('card_type'),
    text('account_type'),
    text('status'),
  ],
  sorts: ['created_at', 'updated_at'],
  labels: ['account_holder_id'],
  commonLabels: ['account_holder_id'],
  content: ['body', 'channel', 'personal', 'removed_at'],
};

const holders: TableShape = {
  projection: 'holders',
  rowsVersion: 1,
  layout: 1,
  facet: [text('merchant_id'), text('status')],
  sorts: ['created_at', 'updated_at'],
  labels: ['external_id_hash'],
  commonLabels: ['external_id_hash'],
  content: ['body', 'personal'],
};

const paymentMethods: TableShape = {
  projection: 'payment_methods',
  rowsVersion: 1,
  layout: 1,
  facet: [text('merchant_id'), text('type'), text('currency'), text('status')],
  sorts: ['created_at'],
  labels: [],
  commonLabels: [],
  content: ['body'],
};

export const SHAPES: Readonly<Record<ProjectionName, TableShape>> = {
  transactions,
  tokens,
  holders,
  payment_methods: paymentMethods,
};

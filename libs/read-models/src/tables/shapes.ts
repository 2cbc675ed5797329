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
  rowsVersion: 2,
  layout: 3,
  facetColumns: [
    text('merchant_id'),
    text('type'),
    text('status'),
    integer('response_code'),
    text('card_type'),
    text('currency'),
  ],
  // All five in one family would be hundreds of combinations, and a list without a choice a merge of as many ranges.
  families: [
    { name: 'card_facet', columns: ['merchant_id', 'card_type', 'currency'] },
    { name: 'outcome_facet', columns: ['merchant_id', 'type', 'status', 'response_code'] },
  ],
  sorts: ['created_at', 'updated_at', 'amount'],
  labels: [
    'reference_id',
    'original_id',
    'invoice_number',
    'order_number',
    'settlement_id',
    'batch_id',
    'account_holder_id',
    'payment_method_id',
    'return_batch_id',
  ],
  content: ['body', 'channel', 'token_id', 'personal'],
  queues: ['unbatched_at'],
  figures: ['unbatched_amount', 'batched_amount', 'returned_count', 'returned_amount'],
};

const tokens: TableShape = {
  projection: 'tokens',
  rowsVersion: 1,
  layout: 2,
  facetColumns: [text('merchant_id'), text('type'), text('card_type'), text('account_type'), text('status')],
  families: [{ name: 'facet', columns: ['merchant_id', 'type', 'card_type', 'account_type', 'status'] }],
  sorts: ['created_at', 'updated_at'],
  labels: ['account_holder_id'],
  content: ['body', 'channel', 'personal', 'removed_at'],
};

const holders: TableShape = {
  projection: 'holders',
  rowsVersion: 1,
  layout: 2,
  facetColumns: [text('merchant_id'), text('status')],
  families: [{ name: 'facet', columns: ['merchant_id', 'status'] }],
  sorts: ['created_at', 'updated_at'],
  labels: ['external_id_hash'],
  content: ['body', 'personal'],
};

const paymentMethods: TableShape = {
  projection: 'payment_methods',
  rowsVersion: 1,
  layout: 2,
  facetColumns: [text('merchant_id'), text('type'), text('currency'), text('status')],
  families: [{ name: 'facet', columns: ['merchant_id', 'type', 'currency', 'status'] }],
  sorts: ['created_at'],
  labels: [],
  content: ['body'],
};

/** The list is nobody's but the operators': every row has the same owner. */
export const OPERATORS = 'operators';

const merchants: TableShape = {
  projection: 'merchants',
  rowsVersion: 1,
  layout: 2,
  facetColumns: [text('merchant_id'), text('status')],
  families: [{ name: 'facet', columns: ['merchant_id', 'status'] }],
  sorts: ['created_at', 'updated_at'],
  labels: [],
  content: ['body'],
};

const batches: TableShape = {
  projection: 'batches',
  rowsVersion: 1,
  layout: 2,
  facetColumns: [text('merchant_id'), text('currency'), text('status')],
  families: [{ name: 'facet', columns: ['merchant_id', 'currency', 'status'] }],
  sorts: ['opened_at'],
  labels: [],
  content: ['body'],
  queues: ['closing_at'],
};

export const SHAPES: Readonly<Record<ProjectionName, TableShape>> = {
  transactions,
  tokens,
  holders,
  payment_methods: paymentMethods,
  merchants,
  batches,
};

import { paymentSource, tokenSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { projectionPart, type RowProjection } from '../row.projection.js';
import { paymentRows } from './payment.rows.js';
import { tokenRows } from './token.rows.js';

const shape: TableShape = {
  projection: 'transactions',
  rowsVersion: 4,
  layout: 4,
  // One family of all five would have hundreds of combinations: a list without a choice would merge as many ranges.
  families: [
    { name: 'card_facet', columns: ['merchant_id', 'card_type', 'currency'] },
    { name: 'outcome_facet', columns: ['merchant_id', 'type', 'status', 'response_code'] },
  ],
  integerFacets: ['response_code'],
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
  frequentLabels: ['payment_method_id'],
  content: ['body', 'channel', 'token_id', 'personal'],
  queues: ['unbatched_at'],
  figures: ['unbatched_amount', 'batched_amount', 'returned_count', 'returned_amount'],
};

/** All operations of a merchant on payments and on tokens. */
export const transactions: RowProjection = {
  shape,
  parts: [projectionPart(paymentSource, paymentRows), projectionPart(tokenSource, tokenRows)],
};

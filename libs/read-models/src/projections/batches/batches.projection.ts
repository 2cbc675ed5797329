import { batchIdFromStream, isBeingClosed, type BatchState } from '@tillstream/domain';
import { batchSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { wholeStreamRow, projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'batches',
  rowsVersion: 2,
  layout: 2,
  families: [{ name: 'facet', columns: ['merchant_id', 'currency', 'status'] }],
  sorts: ['opened_at'],
  labels: [],
  content: ['body'],
  queues: ['closing_at'],
};

const rows: Contribution<BatchState> = {
  touched: (stream, events) => wholeStreamRow(batchIdFromStream(stream), events),
  row(state, _id, revision) {
    if (state.status === 'None') return undefined;
    const { id, merchantId, currency, number, status, openedAt, closing, totals } = state;
    return {
      id,
      revision,
      merchant_id: merchantId,
      currency,
      status,
      opened_at: Date.parse(openedAt),
      body: JSON.stringify({
        ...{ id, number, openedAt },
        ...(closing && { cutOffAt: closing.cutOffAt }),
        ...(totals && { transactionCount: totals.transactionCount, amount: totals.amount }),
      }),
      closing_at: isBeingClosed(state) && closing ? Date.parse(closing.at) : null,
    };
  },
};

/** Batches. Those that are closing, or wait for their settlements, are in the queue `closing_at`. */
export const batches: RowProjection = { shape, parts: [projectionPart(batchSource, rows)] };

import { batchIdFromStream, isBeingClosed, type BatchState } from '@tillstream/domain';
import { batchSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { wholeStreamRow, projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'batches',
  rowsVersion: 3,
  layout: 3,
  families: [{ name: 'facet', columns: ['merchant_id', 'currency', 'status'] }],
  sorts: ['opened_at'],
  labels: [],
  content: ['body'],
  queues: ['closing_at', 'adjusted_at'],
};

const rows: Contribution<BatchState> = {
  touched: (stream, events) => wholeStreamRow(batchIdFromStream(stream), events),
  row(state, _id, revision) {
    if (state.status === 'None') return undefined;
    const { id, merchantId, currency, number, status, openedAt, closing, totals, adjustments } = state;
    const [adjusted] = status === 'Open' ? adjustments : [];
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
      adjusted_at: adjusted ? Date.parse(adjusted.at) : null,
    };
  },
};

/** Batches. Those that are closing, or wait for their settlements, are in the queue `closing_at`; open ones with an adjustment in the other. */
export const batches: RowProjection = { shape, parts: [projectionPart(batchSource, rows)] };

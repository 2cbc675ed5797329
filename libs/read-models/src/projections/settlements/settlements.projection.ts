import { settlementIdFromStream, type SettlementState } from '@tillstream/domain';
import { settlementLinesShape, settlementSummary } from '@tillstream/presentation';
import { NOT_YET } from '../column.values.js';
import { settlementSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { wholeStreamRow, projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'settlements',
  rowsVersion: 1,
  layout: 1,
  families: [{ name: 'facet', columns: ['merchant_id', 'currency', 'status'] }],
  // `funded_at` is for lists as they were at a time.
  sorts: ['created_at', 'amount', 'funded_at'],
  labels: [],
  content: ['body', 'lines'],
  queues: ['funding_due_at'],
};

const rows: Contribution<SettlementState> = {
  touched: (stream, events) => wholeStreamRow(settlementIdFromStream(stream), events),
  row(state, id, revision) {
    if (state.status === 'None' || state.created === undefined) return undefined;
    const { merchantId, currency, status, createdAt, created, fundedAt, fundingDueAt } = state;
    return {
      id,
      revision,
      merchant_id: merchantId,
      currency,
      status,
      created_at: Date.parse(createdAt),
      amount: created.amount,
      funded_at: fundedAt === undefined ? NOT_YET : Date.parse(fundedAt),
      body: JSON.stringify(settlementSummary(state, created)),
      lines: JSON.stringify(settlementLinesShape(created)),
      funding_due_at: status === 'Pending' ? Date.parse(fundingDueAt) : null,
    };
  },
};

/** Settlements, from their creation on. Those that are not funded are in the queue `funding_due_at`. */
export const settlements: RowProjection = { shape, parts: [projectionPart(settlementSource, rows)] };

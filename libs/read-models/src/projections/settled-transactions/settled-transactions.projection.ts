import type { PageSettled, SettledItem, SettlementPageState } from '@tillstream/domain';
import { settledTransactionShape } from '@tillstream/presentation';
import { settlementPageSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'settled_transactions',
  rowsVersion: 1,
  layout: 1,
  families: [{ name: 'facet', columns: ['merchant_id', 'type'] }],
  // `created_at` is the `settledAt` of clients.
  sorts: ['created_at', 'amount'],
  labels: ['transaction_id', 'settlement_id', 'batch_id'],
  content: ['body'],
};

const rows: Contribution<SettlementPageState> = {
  touched(_stream, events) {
    const settled = events.find(({ type }) => type === 'PageSettled');
    const page = settled?.data as unknown as PageSettled | undefined;
    const ids = page?.items.map((item, index) => rowIdOf(page, item, index)) ?? [];
    return new Map(ids.map((id) => [id, settled?.revision ?? 0]));
  },
  row(state, id, revision) {
    if (state.status === 'None') return undefined;
    const item = itemOf(state, id);
    if (!item) return undefined;
    return {
      id,
      revision,
      merchant_id: state.merchantId,
      type: item.type,
      created_at: Date.parse(state.settledAt),
      amount: item.amount,
      transaction_id: item.operationId,
      settlement_id: state.settlementId,
      batch_id: state.batchId,
      body: JSON.stringify(settledTransactionShape(state, item)),
    };
  },
};

/** The operation's own id; of a return or chargeback also its place, since an operation can have several. */
function rowIdOf({ settlementId }: PageSettled, item: SettledItem, index: number): string {
  const { operationId, returnId, chargebackId } = item;
  if (returnId === undefined && chargebackId === undefined) return operationId;
  return `${operationId}.${settlementId.slice('stl_'.length)}.${index}`;
}

function itemOf(page: PageSettled, id: string): SettledItem | undefined {
  return page.items.find((item, index) => rowIdOf(page, item, index) === id);
}

/** The items of settlements. The time of the funding is added when a row is read. */
export const settledTransactions: RowProjection = {
  shape,
  parts: [projectionPart(settlementPageSource, rows)],
};
